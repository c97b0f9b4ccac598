// A pointer that moves to the end.
// expect: safe
// check: memory
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 4096) return 0;
    char *p = malloc(n);
    if (!p) return 0;
    for (char *c = p; c < p + n; c++) *c = 'a';
    free(p);
    return 0;
}
