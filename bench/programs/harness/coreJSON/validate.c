// project: coreJSON
// files: core_json.c
// flags: -DN=3
// JSON_Validate of any buffer of 1 to N bytes.
#include <stddef.h>
#include "core_json.h"

extern char __VERIFIER_nondet_char(void);
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    char buf[N];
    size_t max = __VERIFIER_nondet_size_t();

    if (max < 1 || max > N)
        return 0;
    for (size_t i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    // the text ends where the object does
    JSON_Validate(buf + (N - max), max);
    return 0;
}
