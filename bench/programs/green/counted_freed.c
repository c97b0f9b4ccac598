// An object with a count of references, one of which is not counted.
// expect: unsafe 54
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

struct object {
    int references;
    int value;
};

static int alive;

static struct object *make(int value)
{
    struct object *o = malloc(sizeof *o);

    if (!o)
        abort();
    o->references = 1;
    o->value = value;
    alive++;
    return o;
}

static struct object *share(struct object *o)
{
    o->references++;
    return o;
}

static void release(struct object *o)
{
    if (--o->references == 0) {
        alive--;
        free(o);
    }
}

int main(void)
{
    struct object *first = make(7);
    struct object *second = NULL;
    int value = 0;

    if (__VERIFIER_nondet_bool())
        second = share(first);
    if (__VERIFIER_nondet_bool())
        second = first;
    release(first);
    if (second) {
        value = second->value;
        release(second);
    }
    assert(alive == 0);
    assert(value == 0 || value == 7);
    return 0;
}
