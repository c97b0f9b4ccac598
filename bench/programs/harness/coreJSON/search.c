// project: coreJSON
// files: core_json.c
// flags: -DN=3 -DQ=1
// revisions: 0000..0011 -DAPI=1
// revisions: 0012..0013 -DAPI=2
// revisions: 0014.. -DAPI=3
// JSON_Search (JSON_SearchT) of any query of 1 to Q bytes in any buffer of N bytes. A value that is found lies in the buffer.
#include <assert.h>
#include <stddef.h>
#include "core_json.h"

extern char __VERIFIER_nondet_char(void);
extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    char buf[N], query[Q];
    char *value;
    size_t length;
    size_t n = __VERIFIER_nondet_size_t();
    JSONStatus_t status;

    if (n < 1 || n > Q)
        return 0;
    for (size_t i = 0; i < N; i++)
        buf[i] = __VERIFIER_nondet_char();
    for (size_t i = 0; i < Q; i++)
        query[i] = __VERIFIER_nondet_char();
    if (query[0] == '\0')
        return 0;
#if API == 1
    status = JSON_Search(buf, N, query, n, '.', &value, &length);
#elif API == 2
    status = JSON_Search(buf, N, query, n, &value, &length);
#else
    JSONTypes_t type;
    status = JSON_SearchT(buf, N, query, n, &value, &length, &type);
#endif
    if (status == JSONSuccess) {
        assert(value >= buf && value <= buf + N);
        assert(length <= (size_t)(buf + N - value));
    }
    return 0;
}
