#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static void fill(char *text, int length) {
    for (int i = 0; i <= length; i++)
        text[i] = 'x';
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 2) {
        char *text = malloc(n);
        fill(text, n);
        free(text);
    }
#ifdef MORE
    assert(n != 7);
#endif
    return 0;
}
