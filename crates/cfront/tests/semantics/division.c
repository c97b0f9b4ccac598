/* Division and remainder truncate toward zero, with mixed signs, widths and constants. */
#include <stdio.h>

static void both(int a, int b)
{
    printf("%d/%d: %d %d, ", a, b, a / b, a % b);
    printf("%ld %ld, ", (long)a / b, (long)a % b);
    printf("%u %u, ", (unsigned)a / (unsigned)b, (unsigned)a % (unsigned)b);
    printf("%d\n", (a / b) * b + a % b == a);
}

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static int floor_div(int a, int b)
{
    int q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static unsigned long long power(unsigned long long b, unsigned e, unsigned long long m)
{
    unsigned long long r = 1;
    for (b %= m; e; e >>= 1, b = b * b % m)
        if (e & 1)
            r = r * b % m;
    return r;
}

int main(void)
{
    int values[] = {7, -7, 3, -3, 1, -1, 100, -2147483647, 2147483647};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++)
            both(values[i], values[k]);
    printf("%d %d %d\n", gcd(48, 36), gcd(-48, 36), gcd(17, 5));
    printf("%d %d %d %d\n", floor_div(7, 2), floor_div(-7, 2), floor_div(7, -2), floor_div(-8, 2));
    printf("%llu\n", power(3, 200, 1000000007));
    unsigned char a = 250, b = 7;
    signed char c = -100, d = 9;
    printf("%d %d %d %d\n", a / b, a % b, c / d, c % d);
    a /= 3;
    c %= 7;
    printf("%d %d\n", a, c);
    for (int i = -20; i <= 20; i += 8)
        printf("%d %d %d %d %d %d\n", i / 4, i % 4, i / -4, i / 10, i % 10, i / 1);
    unsigned u = 4000000000u;
    printf("%u %u %d\n", u / 10, u % 10, (int)(u / 7));
    long long big = -9000000000000000000LL;
    printf("%lld %lld %lld\n", big / 1000000007, big % 1000000007, big / -3);
    printf("%llu %llu\n", (unsigned long long)big / 10, (unsigned long long)big % 10);
    int digits = 0;
    for (long long n = 1234567890123LL; n; n /= 10)
        digits += n % 10;
    return digits;
}
