// Snprintf symbolic.
// expect: safe or unknown
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char b[4];
    int x = __VERIFIER_nondet_int();
    int n = snprintf(b, 4, "%d", x);
    assert(n >= 1 && n <= 11);
    if (n < 4) assert(b[n] == 0);
    else assert(b[3] == 0);
    return 0;
}
