// project: tinyexpr
// files: tinyexpr.c
// flags: -DN=1
// te_interp of any text of up to N characters.
#include "tinyexpr.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[N + 1];
    int error;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    te_interp(text, &error);
    return 0;
}
