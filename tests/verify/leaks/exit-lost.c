// A block is lost before the program gives up.
// expect: unsafe 41
// check: memory,leak
// object: heap
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void die(int code)
{
    exit(code);
}

static int average(const int *values, int count)
{
    int sum = 0;

    if (count == 0)
        die(2);
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    int *values, result;

    if (count < 0 || count > 3)
        return 1;
    values = calloc(4, sizeof *values);
    if (!values)
        die(3);
    for (int i = 0; i < count; i++)
        values[i] = __VERIFIER_nondet_int() & 255;
    if (count == 2)
        values = calloc(4, sizeof *values);
    result = average(values, count - count % 2);
    free(values);
    return result;
}
