#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    unsigned asked = 0, taken = 0, refused = 0;
    while (asked < n) {
        if (__VERIFIER_nondet_int())
            taken++;
        else
            refused++;
        asked++;
    }
    assert(taken + refused == n);
    return 0;
}
