// project: jsmn
// files: jsmn.c
// flags: -DN=6
// revisions: 0041..0041 -DAPI=4
// revisions: 0042.. -DAPI=5
// jsmn_parse of N bytes without tokens: they are counted only.
#include <assert.h>
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
    jsmn_parser parser;
    int r;

    for (int i = 0; i < N; i++)
        js[i] = __VERIFIER_nondet_char();
    jsmn_init(&parser);
#if API == 4
    js[N] = '\0';
    r = jsmn_parse(&parser, js, NULL, 0);
#else
    r = jsmn_parse(&parser, js, N, NULL, 0);
#endif
    assert(r <= N);
    return 0;
}
