// Fills memory of a size that comes from outside, and one element more.
// expect: unsafe 17
#include <assert.h>
#include <stdlib.h>

extern unsigned int __VERIFIER_nondet_uint(void);

#define MOST 10

static int *squares(unsigned n)
{
    int *out = malloc(n * sizeof *out);

    if (!out)
        return NULL;
    for (unsigned i = 0; i <= n; i++)
        out[i] = (int)(i * i);
    return out;
}

static long sum(const int *numbers, unsigned n)
{
    long total = 0;

    while (n-- > 0)
        total += numbers[n];
    return total;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    int *numbers;
    long total;

    if (n == 0 || n > MOST)
        return 0;
    numbers = squares(n);
    if (!numbers)
        return 1;
    total = sum(numbers, n);
    assert(total == (long)(n - 1) * n * (2 * n - 1) / 6);
    free(numbers);
    return 0;
}
