// project: jsmn
// files: jsmn.c
// flags: -DN=3 -DT=1
// revisions: 0030..0041 -DAPI=4
// revisions: 0042.. -DAPI=5
// jsmn_parse that runs out of tokens, and is asked to go on with more of them.
#include <stddef.h>
#include "jsmn.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char js[N + 1];
    jsmntok_t tokens[2 * T];
    jsmn_parser parser;

    for (int i = 0; i < N; i++)
        js[i] = __VERIFIER_nondet_char();
    js[N] = '\0';
    jsmn_init(&parser);
#if API == 4
    if (jsmn_parse(&parser, js, tokens, T) == JSMN_ERROR_NOMEM)
        jsmn_parse(&parser, js, tokens, 2 * T);
#else
    if (jsmn_parse(&parser, js, N, tokens, T) == JSMN_ERROR_NOMEM)
        jsmn_parse(&parser, js, N, tokens, 2 * T);
#endif
    return 0;
}
