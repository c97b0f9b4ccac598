#include "check.h"
#include <strings.h>

MODEL(ffs);
MODEL(ffsl);
MODEL(ffsll);
int m___builtin_popcount(unsigned), m___builtin_popcountl(unsigned long), m___builtin_popcountll(unsigned long long);
int m___builtin_parity(unsigned), m___builtin_parityl(unsigned long), m___builtin_parityll(unsigned long long);
int m___builtin_clz(unsigned), m___builtin_clzl(unsigned long), m___builtin_clzll(unsigned long long);
int m___builtin_ctz(unsigned), m___builtin_ctzl(unsigned long), m___builtin_ctzll(unsigned long long);
int m___builtin_clrsb(int), m___builtin_clrsbl(long), m___builtin_clrsbll(long long);
int m___builtin_ffs(int), m___builtin_ffsl(long), m___builtin_ffsll(long long);
unsigned short m___builtin_bswap16(unsigned short);
unsigned m___builtin_bswap32(unsigned);
unsigned long long m___builtin_bswap64(unsigned long long);
unsigned __int128 m___builtin_bswap128(unsigned __int128);

#define SAME(name, x) CHECK(m_##name(x) == name(x), "%#llx", (unsigned long long)(x))

static void run(unsigned long long x)
{
    SAME(__builtin_popcount, (unsigned)x);
    SAME(__builtin_popcountl, (unsigned long)x);
    SAME(__builtin_popcountll, x);
    SAME(__builtin_parity, (unsigned)x);
    SAME(__builtin_parityl, (unsigned long)x);
    SAME(__builtin_parityll, x);
    if ((unsigned)x) {
        SAME(__builtin_clz, (unsigned)x);
        SAME(__builtin_ctz, (unsigned)x);
    }
    if (x) {
        SAME(__builtin_clzl, (unsigned long)x);
        SAME(__builtin_ctzl, (unsigned long)x);
        SAME(__builtin_clzll, x);
        SAME(__builtin_ctzll, x);
    }
    SAME(__builtin_clrsb, (int)x);
    SAME(__builtin_clrsbl, (long)x);
    SAME(__builtin_clrsbll, (long long)x);
    SAME(__builtin_ffs, (int)x);
    SAME(__builtin_ffsl, (long)x);
    SAME(__builtin_ffsll, (long long)x);
    SAME(ffs, (int)x);
    SAME(ffsl, (long)x);
    SAME(ffsll, (long long)x);
    SAME(__builtin_bswap16, (unsigned short)x);
    SAME(__builtin_bswap32, (unsigned)x);
    SAME(__builtin_bswap64, x);
    SAME(__builtin_bswap128, (unsigned __int128)x << 64 | x * 3);
}

int main(void)
{
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 64; k++) {
            unsigned long long x = 1ull << i ^ 1ull << k;
            run(x), run(~x), run(x - 1), run(1ull << i), run(-(1ull << i));
        }
    }
    for (int i = 0; i < 20000; i++)
        run((next_random() ^ next_random() << 32) >> below(64) << below(64));
    return finish();
}
