// The same in an array, at an index from outside.
// expect: unsafe 14
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int x;
int *slots[3] = {&x, &x, &x};
void ext(void);
int main(void) {
    ext();
    unsigned i = __VERIFIER_nondet_uint();
    if (i > 2) return 0;
    x = 0;
    *slots[i] = 1;
    assert(x == 0);
    return 0;
}
