// Sprintf overflow.
// expect: unsafe 8
// check: memory
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char b[8];
    sprintf(b, "%d", __VERIFIER_nondet_int());
    return 0;
}
