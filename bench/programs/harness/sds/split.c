// project: sds
// files: sds.c
// flags: -DN=4 -DFIXED
// sdssplitlen of up to N bytes by a separator of one or two bytes, and sdsjoin of the parts.
#include "input.h"

int main(void)
{
    char text[N], sep[2];
    int count;
    sds *parts;

    fill(text, N);
    fill(sep, 2);
    parts = sdssplitlen(text, (int)some(N), sep, 1 + (int)some(1), &count);
    assert(count <= N + 1);
    sdsfreesplitres(parts, count);
    return 0;
}
