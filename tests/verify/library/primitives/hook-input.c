// Hook input.
// expect: unsafe 7
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int (*f)(void) = __VERIFIER_nondet_int;
    assert(f() != 3);
    return 0;
}
