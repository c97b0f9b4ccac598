// project: sds
// files: sds.c
// flags: -DN=2
// revisions: 0000..0005
// revisions: 0006..0007 -DSEPLEN
// revisions: 0008..
// sdsjoin of three texts of up to N characters.
#include "input.h"

int main(void)
{
    char text[3][N + 1];
    char *parts[3];
    sds s;

    for (int i = 0; i < 3; i++) {
        fill(text[i], N);
        text[i][N] = '\0';
        parts[i] = text[i];
    }
#ifdef SEPLEN
    s = sdsjoin(parts, 3, ", ", 2);
#else
    s = sdsjoin(parts, 3, ", ");
#endif
    assert(sdslen(s) == strlen(text[0]) + strlen(text[1]) + strlen(text[2]) + 4);
    sdsfree(s);
    return 0;
}
