// project: sds
// files: sds.c
// flags: -DN=8 -DFIXED
// sdsgrowzero, sdsMakeRoomFor, sdsIncrLen and sdsRemoveFreeSpace, as their documentation uses them.
// FIXED: lengths are fixed, since any length up to 2 was not decided in 15 s.
#include "input.h"

int main(void)
{
    size_t room = 1 + some(N - 1), used = some(room), n;
    sds s = any_sds(N);

    s = sdsgrowzero(s, some(2 * N));
    n = sdslen(s);
    s = sdsMakeRoomFor(s, room);
    fill(s + n, used);
    sdsIncrLen(s, (int)used);
    assert(sdslen(s) == n + used);
    s = sdsRemoveFreeSpace(s);
    assert(sdslen(s) == n + used);
    assert(s[n + used] == '\0');
    sdsfree(s);
    return 0;
}
