// project: sds
// files: sds.c
// flags: -DN=4 -DFIXED
// sdssplitlen of up to N bytes by a separator of up to two bytes.
// FIXED: lengths are fixed.
#include "input.h"

int main(void)
{
    char text[N], sep[2];
    int count;
    int n = (int)some(N), m = 1 + (int)some(1);
    sds *parts;

    fill(text, N);
    fill(sep, 2);
    parts = sdssplitlen(text, n, sep, m, &count);
    assert(count <= N + 1);
    sdsfreesplitres(parts, count);
    return 0;
}
