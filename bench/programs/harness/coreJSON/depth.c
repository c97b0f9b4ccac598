// project: coreJSON
// files: core_json.c
// flags: -DN=3 -DJSON_MAX_DEPTH=1
// JSON_Validate of N bytes with a stack of one level: what is nested deeper must be refused.
#include <stddef.h>
#include "core_json.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char buf[N];

    for (size_t i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    JSON_Validate(buf, N);
    return 0;
}
