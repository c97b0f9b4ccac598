// project: coreJSON
// files: core_json.c
// flags: -DN=3
// revisions: 0017..
// JSON_Iterate over a document of N bytes that JSON_Validate has accepted, as its documentation demands.
#include <assert.h>
#include <stddef.h>
#include "core_json.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char buf[N];
    size_t start = 0, next = 0;
    JSONPair_t pair = { 0 };

    for (size_t i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    if (JSON_Validate(buf, N) != JSONSuccess)
        return 0;
    while (JSON_Iterate(buf, N, &start, &next, &pair) == JSONSuccess) {
        assert(next <= N);
        assert(pair.value >= buf && pair.value <= buf + N);
        assert(pair.valueLength <= (size_t)(buf + N - pair.value));
    }
    return 0;
}
