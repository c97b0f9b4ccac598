// project: tinyexpr
// files: tinyexpr.c
// flags: -DN=1
// revisions: 0024..
// te_compile, te_eval and te_free of any text of up to N characters with a function, a closure and a variable of the caller's.
#include "tinyexpr.h"

extern char __VERIFIER_nondet_char(void);

static double twice(double a)
{
    return a + a;
}

static double scaled(void *context, double a, double b)
{
    return *(double *)context * (a - b);
}

int main(void)
{
    char text[N + 1];
    double x = 2, scale = 3;
    te_variable variables[3] = {
        { "x", &x },
        { "f", twice, TE_FUNCTION1 },
        { "g", scaled, TE_CLOSURE2, &scale },
    };
    int error;
    te_expr *e;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    e = te_compile(text, variables, 3, &error);
    if (e) {
        te_eval(e);
        te_free(e);
    }
    return 0;
}
