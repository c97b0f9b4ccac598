// project: tinyexpr
// files: tinyexpr.c
// flags: -DN=1
// te_compile, te_eval and te_free of any text of up to N characters with two variables.
#include "tinyexpr.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[N + 1];
    double x = 2, y = 3;
    te_variable variables[2] = { { "x", &x }, { "yy", &y } };
    int error;
    te_expr *e;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    e = te_compile(text, variables, 2, &error);
    if (e) {
        te_eval(e);
        te_free(e);
    }
    return 0;
}
