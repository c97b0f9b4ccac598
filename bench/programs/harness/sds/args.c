// project: sds
// files: sds.c
// flags: -DN=2
// sdssplitargs of any text of up to N characters.
#include "input.h"

int main(void)
{
    char line[N + 1];
    int count;
    sds *args;

    fill(line, N);
    line[N] = '\0';
    args = sdssplitargs(line, &count);
    if (args)
        sdsfreesplitres(args, count);
    return 0;
}
