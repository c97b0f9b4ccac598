/* gcc's bit builtins and byte swaps, on values only known at run time. */
#include <stdio.h>

static void all(unsigned long long x)
{
    unsigned u = (unsigned)x;
    printf("%llx: %d %d %d %d ", x, __builtin_popcount(u), __builtin_popcountll(x), __builtin_parity(u), __builtin_parityll(x));
    printf("%d %d %d ", __builtin_ffs((int)u), __builtin_ffsl((long)x), __builtin_ffsll((long long)x));
    printf("%d %d ", __builtin_clrsb((int)u), __builtin_clrsbll((long long)x));
    if (u)
        printf("%d %d ", __builtin_clz(u), __builtin_ctz(u));
    if (x)
        printf("%d %d ", __builtin_clzll(x), __builtin_ctzll(x));
    if ((unsigned long)x)
        printf("%d ", __builtin_clzl(x));
    printf("%x %x %llx\n", __builtin_bswap16((unsigned short)x), __builtin_bswap32(u), (unsigned long long)__builtin_bswap64(x));
}

static int log2_floor(unsigned x) { return 31 - __builtin_clz(x); }
static unsigned next_power(unsigned x) { return x <= 1 ? 1 : 1u << (32 - __builtin_clz(x - 1)); }

int main(void)
{
    unsigned long long values[] = {0, 1, 2, 3, 0x80, 0xffff, 0x10000, 0x80000000, 0xffffffff, 0x100000000, 0x8000000000000000, ~0ull,
                                   0x0123456789abcdef, 0xfedcba9876543210};
    for (int i = 0; i < 14; i++)
        all(values[i]);
    for (unsigned i = 1; i < 40; i += 6)
        printf("%d %u ", log2_floor(i), next_power(i));
    printf("\n%d %d\n", __builtin_popcount(0xff00ff), __builtin_ctz(48));
    int bits[8], n = 0;
    for (unsigned mask = 0xa5; mask; mask &= mask - 1)
        bits[n++] = __builtin_ctz(mask);
    for (int i = 0; i < n; i++)
        printf("%d ", bits[i]);
    printf("\n%d %ld %lld\n", __builtin_abs(-5), __builtin_labs(-6L), __builtin_llabs(-7LL));
    return __builtin_popcountl(0x5555);
}
