// expect: unsafe 13
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned f0(unsigned x) {
    unsigned i = 0, s = 0;
    while (i < x) {
        s += 2;
        if (i == 3)
            s += 2, s -= 1;
        i++;
    }
    assert(s == 2 * x);
    return s % 7;
}

static unsigned f1(unsigned x) {
    unsigned i = 0, s = 0;
    while (i < x) {
        s += 3;
        i++;
    }
    assert(s == 3 * x);
    return s % 7;
}

static unsigned f2(unsigned x) {
    unsigned i = 0, s = 0;
    while (i < x) {
        s += 2;
        i++;
    }
    assert(s == 2 * x);
    return s % 7;
}

int main(void) {
    unsigned t = 0;
    t += f0(__VERIFIER_nondet_uint() % 9);
    t += f1(__VERIFIER_nondet_uint() % 9);
    t += f2(__VERIFIER_nondet_uint() % 9);
    return (int)t;
}
