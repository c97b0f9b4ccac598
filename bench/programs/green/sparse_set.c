// A set of small numbers that is cleared in one step.
// expect: safe
#include <assert.h>
#include <stdbool.h>
extern unsigned __VERIFIER_nondet_uint(void);
#define U 8

struct set {
    unsigned dense[U], sparse[U], n;
};

static bool has(const struct set *s, unsigned x)
{
    return s->sparse[x] < s->n && s->dense[s->sparse[x]] == x;
}

static void add(struct set *s, unsigned x)
{
    if (has(s, x))
        return;
    s->dense[s->n] = x;
    s->sparse[x] = s->n++;
}

static void del(struct set *s, unsigned x)
{
    if (!has(s, x))
        return;
    unsigned last = s->dense[--s->n];
    s->dense[s->sparse[x]] = last;
    s->sparse[last] = s->sparse[x];
}

int main(void)
{
    struct set s = {.n = 0};
    for (int i = 0; i < 5; i++) {
        unsigned x = __VERIFIER_nondet_uint() % U;
        if (__VERIFIER_nondet_uint() & 1) {
            add(&s, x);
            assert(has(&s, x));
        } else {
            del(&s, x);
            assert(!has(&s, x));
        }
        assert(s.n <= U);
    }
}
