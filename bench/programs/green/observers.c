// Observers that may take themselves off the list while they are told.
// expect: safe
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

extern bool __VERIFIER_nondet_bool(void);

#define COUNT 3

struct observer {
    struct observer *next;
    bool (*told)(struct observer *);
    int calls;
    bool once;
};

static struct observer *first;
static int total;

static bool on_change(struct observer *o)
{
    o->calls++;
    total++;
    return !o->once;
}

static void watch(bool once)
{
    struct observer *o = calloc(1, sizeof *o);

    if (!o)
        abort();
    o->told = on_change;
    o->once = once;
    o->next = first;
    first = o;
}

static void tell_all(void)
{
    struct observer **link = &first;

    while (*link) {
        struct observer *o = *link;
        if (o->told(o)) {
            link = &o->next;
        } else {
            *link = o->next;
            free(o);
        }
    }
}

int main(void)
{
    int once = 0;

    for (int i = 0; i < COUNT; i++) {
        bool flag = __VERIFIER_nondet_bool();
        once += flag;
        watch(flag);
    }
    tell_all();
    tell_all();
    assert(total == 2 * COUNT - once);
    while (first) {
        struct observer *o = first;
        assert(o->calls == 2);
        first = o->next;
        free(o);
    }
    return 0;
}
