/* Conversions between floating and integer types, every width, both directions, rounding and truncation. */
#include <stdio.h>

static void from_double(double d)
{
    printf("%g: %d %ld %lld", d, (int)d, (long)d, (long long)d);
    if (d > -1)
        printf(" %u %llu", (unsigned)d, (unsigned long long)d);
    if (d > -129 && d < 128)
        printf(" %d", (signed char)d);
    if (d > -1 && d < 256)
        printf(" %d", (unsigned char)d);
    if (d > -32769 && d < 32768)
        printf(" %d", (short)d);
    printf(" %d %g\n", (_Bool)d, (float)d);
}

static float to_float(long long x) { return x; }
static double to_double(long long x) { return x; }
static float u_to_float(unsigned long long x) { return x; }
static double u_to_double(unsigned long long x) { return x; }

int main(void)
{
    double values[] = {0, 0.5, 0.999999, 1.5, -0.5, -1.5, -0.999, 127.9, -128.9, 255.5, 32767.5, -32768.5, 1e9, -1e9, 2147483647.5, 1e-300};
    for (int i = 0; i < 16; i++)
        from_double(values[i]);
    long long ints[] = {0, 1, -1, 16777217, -16777217, 16777219, 2147483647, 9007199254740993LL, 9007199254740995LL, -9007199254740993LL,
                        0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1, 0x40000040000000LL, 0x40000040000001LL, 0x400000c0000000LL};
    for (int i = 0; i < 15; i++)
        printf("%.1f %.1f %.1f %.1f\n", to_float(ints[i]), to_double(ints[i]), u_to_float(ints[i]), u_to_double(ints[i]));
    unsigned u = 4294967295u;
    float f = u;
    double d = u;
    printf("%.1f %.1f\n", f, d);
    unsigned long long big = 0xfffffffffffffbffull;
    printf("%.1f %.1f\n", (double)big, (double)(big + 1));
    printf("%llu %llu\n", (unsigned long long)1.8446744073709550e19, (unsigned long long)9.3e18);
    printf("%u %lld\n", (unsigned)3000000000.7f, (long long)-9.2e18f);
    int i = 3.99f;
    char c = 65.7;
    unsigned short us = 65535.9f;
    long l = -1e15;
    _Bool b = 0.1, z = -0.0;
    printf("%d %c %d %ld %d %d\n", i, c, us, l, b, z);
    i += 2.6;
    i = i / 2.5 + 0.5;
    printf("%d %g %g\n", i, i / 2 + 0.5, i * 0.1f);
    printf("%d %d %d\n", 16777217 == 16777217.0f, 16777217 == 16777217.0, 9007199254740993LL == 9007199254740992.0);
    printf("%d %d\n", u == -1.0f, u > -1.0f);
    printf("%.9g %.17g\n", 0.1f, (double)0.1f);
    printf("%.9g %.9g\n", (float)1e-50, (float)123456789.125);
    float parameter = (float)0.1 + (float)0.2;
    return (int)(parameter * 100);
}
