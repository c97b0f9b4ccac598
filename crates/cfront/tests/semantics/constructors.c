/* Constructors run before main, by priority; an alias of a variable is that variable. */
#include <stdio.h>
static int order[4], count;
__attribute__((constructor)) static void last(void) { order[count++] = 3; }
__attribute__((constructor(200))) static void second(void) { order[count++] = 2; }
__attribute__((constructor(101))) static void first(void) { order[count++] = 1; }
int value = 5;
extern int other __attribute__((alias("value")));
int main(void)
{
    other++;
    value *= 2;
    printf("%d: %d %d %d\n%d %d\n", count, order[0], order[1], order[2], value, other);
    return 0;
}
