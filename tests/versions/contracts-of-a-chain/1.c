// Each function relies on what the one below ensures.
// engine: contracts
// expect: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned f0(unsigned x) {
    if (x > 100)
        x = 100;
    unsigned r = x;
    assert(r <= 100);
    return r > 50 ? r - 1 : r;
}

static unsigned f1(unsigned x) {
    if (x > 100)
        x = 100;
    unsigned r = f0(x);
    assert(r <= 100);
    return r > 50 ? r - 1 : r;
}

static unsigned f2(unsigned x) {
    if (x > 100)
        x = 100;
    unsigned r = f1(x);
    assert(r <= 100);
    return r > 50 ? r - 1 : r;
}

static unsigned f3(unsigned x) {
    if (x > 100)
        x = 100;
    unsigned r = f2(x);
    assert(r <= 100);
    return r > 50 ? r - 1 : r;
}

int main(void) {
    return (int)f3(__VERIFIER_nondet_uint());
}
