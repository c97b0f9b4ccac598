// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// sdsnewlen, sdscatlen, sdscpylen and sdsdup of up to N bytes.
// FIXED: lengths are fixed, since any length up to 2 was not decided in 15 s.
#include "input.h"

int main(void)
{
    char more[N];
    size_t n = some(N), before;
    sds s = any_sds(N), t;

    fill(more, N);
    before = sdslen(s);
    s = sdscatlen(s, more, n);
    assert(sdslen(s) == before + n);
    assert(s[before + n] == '\0');
    t = sdsdup(s);
    s = sdscpylen(s, more, n);
    assert(sdslen(s) == n);
    sdsfree(s);
    sdsfree(t);
    return 0;
}
