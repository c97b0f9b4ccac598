// project: tinyexpr
// files: tinyexpr.c
// flags: -DN=1
// te_interp of any text of up to N of a few characters: no names.
#include "tinyexpr.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    static const char alphabet[9] = "1+-*(), ";
    char text[N + 1];
    int error;

    for (int i = 0; i < N; i++)
        text[i] = alphabet[__VERIFIER_nondet_char() & 7];
    text[N] = '\0';
    te_interp(text, &error);
    return 0;
}
