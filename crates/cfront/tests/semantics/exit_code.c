/* exit from deep inside; the code is cut to a byte; nothing after it runs. */
#include <stdio.h>
#include <stdlib.h>

static int depth;

static int descend(int n)
{
    depth++;
    if (n == 0) {
        printf("leaving at %d\n", depth);
        exit(0x1234 + depth);
    }
    int r = descend(n - 1);
    printf("not reached\n");
    return r;
}

int main(void)
{
    printf("start\n");
    return descend(5);
}
