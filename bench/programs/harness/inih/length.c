// project: inih
// files: ini.c
// flags: -DN=4 -DINI_MAX_LINE=4
// revisions: 0051..
// ini_parse_string_length of any N bytes, zeros among them, with lines that are too long.
#include "ini.h"
#include "handler.h"

int main(void)
{
    char text[N];
    size_t seen = 0;

    for (int i = 0; i < N; i++)
        text[i] = __VERIFIER_nondet_char();
    ini_parse_string_length(text, N, handler, &seen);
    return 0;
}
