/* long double: 64 bits of precision, conversions to and from everything, comparisons. */
#include <stdio.h>
#include <string.h>

static void bytes(long double x)
{
    unsigned char b[10];
    memcpy(b, &x, 10);
    for (int i = 9; i >= 0; i--)
        printf("%02x", b[i]);
    printf(" ");
}

static long double sum(int n)
{
    long double s = 0;
    for (int i = 1; i <= n; i++)
        s += 1.0L / i;
    return s;
}

struct holder { char c; long double v; int i; };
static struct holder make(long double x) { return (struct holder){'h', x, 7}; }

int main(void)
{
    bytes(0), bytes(1), bytes(-2.5L), bytes(0.1L), bytes(0.1), bytes(0.1f);
    printf("\n");
    volatile long double third = 1.0L / 3, one = 1;
    bytes(third), bytes(third * 3), bytes(sum(100)), bytes(one / 10 + one / 5), bytes(-third);
    printf("\n");
    printf("%d %d %d\n", third == 1.0 / 3, (double)third == 1.0 / 3, 0.1L == 0.1);
    long double big = 9223372036854775807LL;
    bytes(big), bytes(big + 1), bytes(18446744073709551615ull), bytes(-9223372036854775807LL - 1);
    printf("\n%lld %llu %d %u\n", (long long)big, (unsigned long long)18446744073709551615.0L, (int)-3.9L, (unsigned)4e9L);
    printf("%d %d\n", big == 9223372036854775807LL, (double)big == big);
    bytes((float)0.1L), bytes((double)0.1L), bytes(0x1p-16445L), bytes(0x1p16383L * 2);
    printf("\n%g %g %g\n", (double)(third + 1), (float)third, (double)(one * 3 / 2));
    struct holder h = make(2.75L), k = h;
    k.v *= 2;
    printf("%c %g %d %g\n", k.c, (double)k.v, k.i, (double)h.v);
    long double array[3] = {1, 2.5L, -3}, *p = array;
    *p++ += 0.5L;
    ++*p;
    printf("%g %g %g\n", (double)array[0], (double)array[1], (double)(array[2] -= 1));
    printf("%d %d %d %d\n", one < 2, one > third, !third, third && one);
    _Bool b = 1e-4000L;
    char c = 65.9L;
    long double mixed = 1 + 1.5f + 2.25 + 3.125L;
    printf("%d %c %g\n", b, c, (double)mixed);
    volatile long double zero = 0;
    bytes(one / zero), bytes(-one / zero), bytes(-zero);
    printf("%d\n", zero / zero == zero / zero);
    unsigned long long x = 0xfffffffffffff801ull;
    printf("%d %d\n", (unsigned long long)(long double)x == x, (long double)(double)x == x);
    return (int)(sum(50) * 10);
}
