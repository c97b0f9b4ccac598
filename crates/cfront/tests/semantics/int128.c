/* 128-bit integers: arithmetic, shifts, comparison, conversion, division. Printed as two halves. */
#include <stdio.h>

typedef __int128 i128;
typedef unsigned __int128 u128;

static void show(u128 x) { printf("%016llx%016llx ", (unsigned long long)(x >> 64), (unsigned long long)x); }

static u128 power(u128 b, int e)
{
    u128 r = 1;
    while (e-- > 0)
        r *= b;
    return r;
}

static void decimal(u128 x)
{
    char s[40], *p = s + 39;
    *p = 0;
    do
        *--p = '0' + (int)(x % 10);
    while (x /= 10);
    printf("%s ", p);
}

static unsigned long long mul_high(unsigned long long a, unsigned long long b) { return (u128)a * b >> 64; }
static u128 gcd(u128 a, u128 b) { return b ? gcd(b, a % b) : a; }

struct wide { char c; i128 v; };

int main(void)
{
    u128 a = (u128)0x0123456789abcdefull << 64 | 0xfedcba9876543210ull;
    i128 b = -5, c = (i128)1 << 100;
    show(a), show(a + a), show(a - 1), show(~a), show(-a), show(a * a);
    printf("\n");
    show(b), show(b * c), show(c - 1), show(b / 2), show(b % 2), show(b >> 1);
    printf("\n");
    for (int n = 0; n < 128; n += 21)
        show(a << n), show(a >> n), show((i128)(a << 7) >> n);
    printf("\n");
    decimal(power(3, 80)), decimal(power(10, 38)), decimal(~(u128)0);
    printf("\n");
    show(power(7, 45) / power(7, 20)), show(power(7, 45) % power(10, 20)), show(a / 3), show(a % 1000000007), show(a / 0xffffffffffull);
    printf("\n");
    show((u128)(-c / 7)), show((u128)(-c % 7)), show((u128)(c / -12345678901234567LL));
    printf("\n%d %d %d %d %d\n", b < 0, b < c, (u128)b > (u128)c, a == a, b == -5);
    printf("%llx %llx\n", mul_high(-1ull, -1ull), mul_high(0x123456789abcdefull, 0xfedcba987654321ull));
    printf("%lld %d %u %llu\n", (long long)b, (int)c, (unsigned)a, (unsigned long long)(c >> 50));
    printf("%g %g %g\n", (double)c, (double)b, (double)a);
    show((u128)1e30), show((i128)-1e20), show((u128)(signed char)-1), show((u128)(unsigned char)-1);
    printf("\n");
    show(gcd(power(2, 70) * 9, power(6, 40)));
    u128 x = 1;
    x <<= 90;
    x |= 255;
    x ^= a;
    x++;
    x -= 2;
    show(x), show(x-- & ~(u128)0xff), show(x);
    printf("%d %d\n", !x, x ? 1 : 2);
    struct wide w = {1, -1}, v = w;
    v.v += (i128)1 << 64;
    show(v.v);
    i128 list[2] = {b, c};
    i128 *p = list;
    *p++ *= 3;
    show(list[0]), show(*p);
    printf("%zu %zu\n", sizeof(i128), sizeof w);
    return (int)(power(3, 50) % 251);
}
