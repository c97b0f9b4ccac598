// project: jsmn
// files: jsmn.c
// flags: -DN=4 -DT=2 -DJSMN_PARENT_LINKS
// revisions: 0032..0041 -DAPI=4
// revisions: 0042.. -DAPI=5
// jsmn_parse with links to parents.
#include <stddef.h>
#include "jsmn.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
#if API < 5
    char js[N + 1];
#else
    char js[N];
#endif
    jsmntok_t tokens[T];
    jsmn_parser parser;

    for (int i = 0; i < N; i++)
        js[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
#if API == 4
    js[N] = '\0';
    jsmn_parse(&parser, js, tokens, T);
#else
    jsmn_parse(&parser, js, N, tokens, T);
#endif
    return 0;
}
