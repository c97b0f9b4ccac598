// Memory.
// expect: unsafe 8
#include <assert.h>
void __VERIFIER_nondet_memory(void *p, unsigned long n);
int main(void) {
    int x = 1;
    __VERIFIER_nondet_memory(&x, sizeof x);
    assert(x == 1);
    return 0;
}
