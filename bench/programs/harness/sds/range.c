// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// sdsrange with any two indices; it documents no limits for them.
// FIXED: lengths are fixed, since any length up to 2 was not decided in 15 s.
#include "input.h"

int main(void)
{
    sds s = any_sds(N);
    int start = __VERIFIER_nondet_int();
    int end = __VERIFIER_nondet_int();

    sdsrange(s, start, end);
    assert(sdslen(s) <= N);
    assert(s[sdslen(s)] == '\0');
    sdsfree(s);
    return 0;
}
