#include <assert.h>

int __VERIFIER_nondet_int(void);

static int half(int x) {
    assert(x % 2 == 0);
    return x / 2;
}

int main(void) {
    return half(__VERIFIER_nondet_int());
}
