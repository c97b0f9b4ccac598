// Two that move together.
// expect: safe
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned i = 0, j = 7;
    while (__VERIFIER_nondet_int()) {
        i++;
        j += 2;
        assert(j - 7 == 2 * i);
    }
    return 0;
}
