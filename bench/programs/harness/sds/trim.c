// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// revisions: 0000..0003
// revisions: 0004..0007 -DVOID_TRIM
// revisions: 0008..
// sdstrim of up to N bytes, by a set of two characters.
// FIXED: lengths are fixed.
#include "input.h"

int main(void)
{
    char set[3];
    sds s = any_sds(N);

    fill(set, 2);
    set[2] = '\0';
#ifdef VOID_TRIM
    sdstrim(s, set);
#else
    s = sdstrim(s, set);
#endif
    assert(sdslen(s) <= N);
    assert(s[sdslen(s)] == '\0');
    sdsfree(s);
    return 0;
}
