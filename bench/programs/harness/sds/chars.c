// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// sdstoupper, sdstolower, sdsmapchars and sdscmp of strings of up to N bytes.
// FIXED: lengths are fixed; any length up to 4 is decided, too, more was not tried.
#include "input.h"

int main(void)
{
    char from[2], to[2];
    sds s = any_sds(N), t = any_sds(N);

    fill(from, 2);
    fill(to, 2);
    sdstoupper(s);
    sdstolower(t);
    s = sdsmapchars(s, from, to, 2);
    if (sdscmp(s, t) == 0)
        assert(sdslen(s) == sdslen(t));
    sdsfree(s);
    sdsfree(t);
    return 0;
}
