/* Shifts of every width and signedness; the type is that of the promoted left operand. */
#include <stdio.h>

static void shift32(int x, unsigned u)
{
    for (int n = 0; n < 32; n += 5)
        printf("%d %u ", x >> n, u << n);
    for (unsigned char n = 1; n < 32; n += 10)
        printf("%u ", u >> n);
    printf("\n");
}

static void shift64(long long x, unsigned long long u)
{
    for (long n = 0; n < 64; n += 9)
        printf("%lld %llu %llu ", x >> n, u << n, u >> n);
    printf("\n");
}

static unsigned rotate(unsigned x, int n)
{
    return x << (n & 31) | x >> (-n & 31);
}

static unsigned long long rotate64(unsigned long long x, unsigned n)
{
    n &= 63;
    return n == 0 ? x : x << n | x >> (64 - n);
}

int main(void)
{
    shift32(-1, 0xffffffffu);
    shift32(0x40000001, 0x80000001u);
    shift32(-2147483647 - 1, 12345);
    shift64(-1, -1ull);
    shift64(0x7000000000000003LL, 0x8000000000000001ull);
    shift64(-81985529216486896LL, 81985529216486895ull);

    signed char sc = -3;
    unsigned char uc = 0xf0;
    short s = -300;
    unsigned short us = 0xff00;
    printf("%d %d %d %d\n", sc >> 1, uc >> 3, s >> 4, us >> 12);
    printf("%d %d %d\n", uc << 8, us << 8, (unsigned char)(uc << 1));
    sc >>= 1;
    uc <<= 2;
    us <<= 3;
    s >>= 2;
    printf("%d %d %d %d\n", sc, uc, us, s);
    printf("%d %lld %llu\n", 1 << 30, 1LL << 62, 1ull << 63);
    printf("%u %u %u %u\n", rotate(0x12345678, 8), rotate(0x12345678, 0), rotate(0x12345678, -4), rotate(1, 31));
    printf("%llx %llx\n", rotate64(0x0123456789abcdefull, 12), rotate64(0x0123456789abcdefull, 64));
    /* The count's type says nothing about the result's. */
    printf("%d %u\n", -8 >> 1ull, 1u << 31ll);
    printf("%d %d\n", (-5 >> 1) == -3, (int)((unsigned)-5 >> 1));
    unsigned bits = 0;
    for (int i = 31; i >= 0; i -= 3)
        bits |= 1u << i;
    printf("%x\n", bits);
    int count = 0;
    for (unsigned x = bits; x; x &= x - 1)
        count++;
    return count;
}
