// Other memory.
// expect: safe
// args: --unknown-functions pure
#include <assert.h>
void __VERIFIER_nondet_memory(void *p, unsigned long n);
int main(void) {
    int x[2] = {1, 1};
    __VERIFIER_nondet_memory(x, sizeof *x);
    assert(x[1] == 1);
    return 0;
}
