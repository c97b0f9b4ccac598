/* Conversions between all integer types: truncation, sign and zero extension, in every context that converts. */
#include <stdio.h>

static signed char to_schar(long long x) { return x; }
static unsigned char to_uchar(long long x) { return x; }
static short to_short(long long x) { return x; }
static unsigned short to_ushort(long long x) { return x; }
static int to_int(long long x) { return x; }
static unsigned int to_uint(long long x) { return x; }
static long to_long(long long x) { return x; }
static unsigned long to_ulong(long long x) { return x; }
static char to_char(long long x) { return x; }

static void all(long long x)
{
    printf("%lld: %d %d %u %d %u %d %u %ld %lu\n", x, to_char(x), to_schar(x), to_uchar(x), to_short(x), to_ushort(x),
           to_int(x), to_uint(x), to_long(x), to_ulong(x));
}

static long long from_schar(signed char x) { return x; }
static long long from_uchar(unsigned char x) { return x; }
static unsigned long long ufrom_schar(signed char x) { return x; }
static unsigned long long ufrom_short(short x) { return x; }
static unsigned long long ufrom_int(int x) { return x; }
static unsigned long long ufrom_uint(unsigned x) { return x; }
static unsigned ufrom_char(char x) { return x; }

int main(void)
{
    static const long long values[] = {
        0, 1, -1, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, -32768, -32769, 2147483647, 2147483648LL,
        4294967295LL, 4294967296LL, -2147483648LL, -2147483649LL, 0x7fffffffffffffffLL, -0x7fffffffffffffffLL - 1,
        0x123456789abcdef0LL, -0x123456789abcdef0LL,
    };
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        all(values[i]);

    for (int i = -130; i < 300; i += 43) {
        printf("%d: %lld %lld %llu %llu %llu %llu %u\n", i, from_schar(i), from_uchar(i), ufrom_schar(i), ufrom_short(i * 300),
               ufrom_int(i), ufrom_uint(i), ufrom_char(i));
    }

    char c = 200;
    unsigned char uc = -1;
    signed char sc = 0x80;
    short s = 0x12345678;
    unsigned short us = -2;
    unsigned u = -3;
    long l = 0xffffffff;
    unsigned long ul = -4;
    unsigned long long ull = (int)0x80000000;
    long long ll = (unsigned)-5;
    printf("%d %d %d %d %d %u %ld %lu %llu %lld\n", c, uc, sc, s, us, u, l, ul, ull, ll);

    /* Conversions chained by casts. */
    printf("%d %u %lld %llu\n", (int)(unsigned char)(signed char)-7, (unsigned)(short)40000, (long long)(unsigned)(char)-1,
           (unsigned long long)(long)(int)(unsigned short)-1);
    /* Assignment has the type of its left side. */
    int wide = (uc = 300);
    long chain;
    long from_chain = chain = sc = 511;
    printf("%d %ld %ld %d\n", wide, chain, from_chain, sc);
    /* Conditional operator finds a common type. */
    printf("%lld %lld\n", (long long)(wide ? -1 : 1u), (long long)(wide ? -1 : 1L));
    printf("%d %d %d\n", (unsigned char)255 == -1, (unsigned)-1 == -1, 4294967295u == -1L);
    return to_uchar(-200);
}
