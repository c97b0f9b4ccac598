// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// sdsrange with any two indices; it documents no limits for them.
#include "input.h"

int main(void)
{
    sds s = any_sds(N);

    sdsrange(s, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    assert(sdslen(s) <= N);
    assert(s[sdslen(s)] == '\0');
    sdsfree(s);
    return 0;
}
