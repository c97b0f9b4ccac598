// project: tinyexpr
// files: tinyexpr.c
// flags: -DN=1
// te_compile of any name of N small letters: it is looked up among the functions.
#include "tinyexpr.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[N + 1];
    int error;
    te_expr *e;

    for (int i = 0; i < N; i++) {
        char c = __VERIFIER_nondet_char();
        text[i] = c >= 'a' && c <= 'z' ? c : '\0';
    }
    text[N] = '\0';
    e = te_compile(text, 0, 0, &error);
    if (e)
        te_free(e);
    return 0;
}
