#include <assert.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_int();
    unsigned seen = 0, even = 0, odd = 0;
    while (seen < n) {
        if (__VERIFIER_nondet_int() % 2 == 0)
            even++;
        else
            odd++;
        seen++;
    }
    assert(even + odd == seen);
    return 0;
}
