// A relation between two fields of an object that functions are given.
// engine: contracts, auto
// expect: safe
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct item { unsigned size, used; };

static unsigned take(struct item *p, unsigned x) {
    if (x <= p->size - p->used)
        p->used += x;
    else
        p->used = 0;
    assert(p->used <= p->size);
    return p->used;
}

static void twice(struct item *p, unsigned x) {
    take(p, x);
    take(p, x / 2);
}

int main(void) {
    struct item *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->size = 100;
    p->used = 0;
    while (__VERIFIER_nondet_uint())
        twice(p, __VERIFIER_nondet_uint());
    free(p);
}
