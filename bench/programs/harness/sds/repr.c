// project: sds
// files: sds.c
// flags: -DN=2 -DFIXED
// sdscatrepr of up to N bytes.
#include "input.h"

int main(void)
{
    char bytes[N];
    size_t n = some(N);
    sds s = sdsempty();

    fill(bytes, N);
    s = sdscatrepr(s, bytes, n);
    assert(sdslen(s) >= n + 2 && sdslen(s) <= 4 * n + 2);
    sdsfree(s);
    return 0;
}
