// project: jsmn
// files: jsmn.c
// flags: -DN=3 -DT=3
// revisions: 0041..0041 -DAPI=4
// revisions: 0042.. -DAPI=5
// jsmn_parse of N bytes into tokens that are enough: the ones that it says it found lie in the text.
#include <assert.h>
#include <stddef.h>
#include "jsmn.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char js[N + 1];
    jsmntok_t tokens[T];
    jsmn_parser parser;
    int r;

    for (int i = 0; i < N; i++)
        js[i] = __VERIFIER_nondet_char();
    js[N] = '\0';
    jsmn_init(&parser);
#if API == 4
    r = jsmn_parse(&parser, js, tokens, T);
#else
    r = jsmn_parse(&parser, js, N, tokens, T);
#endif
    assert(r <= T);
    for (int i = 0; i < r; i++) {
        assert(0 <= tokens[i].start);
        assert(tokens[i].start <= tokens[i].end);
        assert(tokens[i].end <= N);
    }
    return 0;
}
