// project: jsmn
// files: jsmn.c
// flags: -DN=4 -DT=2
// revisions: 0001..0004 -DAPI=1 -DTOKEN=jsontok_t
// revisions: 0005..0009 -DAPI=2 -DTOKEN=jsontok_t
// revisions: 0010..0014 -DAPI=3 -DTOKEN=jsontok_t
// revisions: 0015..0019 -DAPI=3 -DTOKEN=jsmntok_t
// revisions: 0020..0041 -DAPI=4 -DTOKEN=jsmntok_t
// revisions: 0042.. -DAPI=5 -DTOKEN=jsmntok_t
// jsmn_parse of N bytes into T tokens (which may be too few). From 0042 on the text has a length and no end; before, it ends in a zero.
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
    TOKEN tokens[T];
    int r;

    for (int i = 0; i < N; i++)
        js[i] = __VERIFIER_nondet_char();
#if API < 5
    js[N] = '\0';
#endif
#if API == 1
    int *at;
    r = jsmn_parse((const unsigned char *)js, tokens, T, &at);
#elif API == 2
    int at;
    r = jsmn_parse((const unsigned char *)js, tokens, T, &at);
#else
    jsmn_parser parser;
#if API == 3
    jsmn_init_parser(&parser, js, tokens, T);
    r = jsmn_parse(&parser);
#elif API == 4
    jsmn_init(&parser);
    r = jsmn_parse(&parser, js, tokens, T);
#else
    jsmn_init(&parser);
    r = jsmn_parse(&parser, js, N, tokens, T);
#endif
#endif
    (void)r;
    return 0;
}
