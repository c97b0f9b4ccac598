#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int taken = 0, given = 0;
    while (taken < n) {
        taken++;
        given++;
    }
    assert(taken == given);
    return 0;
}
