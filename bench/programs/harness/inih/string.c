// project: inih
// files: ini.c
// flags: -DN=4
// revisions: 0026..
// ini_parse_string of any text of up to N characters.
#include "ini.h"
#include "handler.h"

int main(void)
{
    char text[N + 1];
    size_t seen = 0;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    text[N] = '\0';
    ini_parse_string(text, handler, &seen);
    return 0;
}
