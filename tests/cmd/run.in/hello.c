#include <stdio.h>

int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        printf("line %d of %d\n", i + 1, n);
    return n;
}
