// project: sds
// files: sds.c
// sdsfromlonglong of any number.
#include "input.h"

int main(void)
{
    long long n = __VERIFIER_nondet_longlong();
    sds s = sdsfromlonglong(n);

    assert(sdslen(s) >= 1 && sdslen(s) <= 20);
    assert((s[0] == '-') == (n < 0));
    sdsfree(s);
    return 0;
}
