// project: coreJSON
// files: core_json.c
// flags: -DN=3
// revisions: 0012..0013 -DAPI=2
// revisions: 0014.. -DAPI=3
// JSON_Search of the second element of an array, in a buffer of N bytes.
#include <assert.h>
#include <stddef.h>
#include "core_json.h"

extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char buf[N];
    char *value;
    size_t length;
    JSONStatus_t status;

    for (size_t i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    buf[0] = '[';
#if API == 2
    status = JSON_Search(buf, N, "[1]", 3, &value, &length);
#else
    JSONTypes_t type;
    status = JSON_SearchT(buf, N, "[1]", 3, &value, &length, &type);
#endif
    if (status == JSONSuccess) {
        assert(value > buf && value <= buf + N);
        assert(length <= (size_t)(buf + N - value));
    }
    return 0;
}
