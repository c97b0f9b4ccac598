/* Counting and moving bits: gcc's builtins and strings.h. No loops, so that nothing has to be unwound. On zero, where
   gcc's clz and ctz are undefined, they give the width of the type. */

int __builtin_popcount(unsigned int x)
{
    x = (x & 0x55555555u) + (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) + (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu);
    return (int)((x & 0x0000ffffu) + (x >> 16));
}

int __builtin_popcountll(unsigned long long x)
{
    return __builtin_popcount((unsigned int)x) + __builtin_popcount((unsigned int)(x >> 32));
}

int __builtin_popcountl(unsigned long x)
{
    return __builtin_popcountll(x);
}

int __builtin_parity(unsigned int x)
{
    x = x ^ x >> 16;
    x = x ^ x >> 8;
    x = x ^ x >> 4;
    x = x ^ x >> 2;
    x = x ^ x >> 1;
    return (int)(x & 1);
}

int __builtin_parityll(unsigned long long x)
{
    return __builtin_parity((unsigned int)x ^ (unsigned int)(x >> 32));
}

int __builtin_parityl(unsigned long x)
{
    return __builtin_parityll(x);
}

/* Leading zeros. */
int __builtin_clz(unsigned int x)
{
    int n = 0;
    if (x == 0)
        return 32;
    if (x < 0x00010000u) {
        n += 16;
        x = x << 16;
    }
    if (x < 0x01000000u) {
        n += 8;
        x = x << 8;
    }
    if (x < 0x10000000u) {
        n += 4;
        x = x << 4;
    }
    if (x < 0x40000000u) {
        n += 2;
        x = x << 2;
    }
    if (x < 0x80000000u)
        n += 1;
    return n;
}

int __builtin_clzll(unsigned long long x)
{
    unsigned int high = (unsigned int)(x >> 32);
    return high != 0 ? __builtin_clz(high) : 32 + __builtin_clz((unsigned int)x);
}

int __builtin_clzl(unsigned long x)
{
    return sizeof(long) == 8 ? __builtin_clzll(x) : __builtin_clz((unsigned int)x);
}

/* Trailing zeros. */
int __builtin_ctz(unsigned int x)
{
    int n = 0;
    if (x == 0)
        return 32;
    if ((x & 0xffffu) == 0) {
        n += 16;
        x = x >> 16;
    }
    if ((x & 0xffu) == 0) {
        n += 8;
        x = x >> 8;
    }
    if ((x & 0xfu) == 0) {
        n += 4;
        x = x >> 4;
    }
    if ((x & 3u) == 0) {
        n += 2;
        x = x >> 2;
    }
    if ((x & 1u) == 0)
        n += 1;
    return n;
}

int __builtin_ctzll(unsigned long long x)
{
    unsigned int low = (unsigned int)x;
    return low != 0 ? __builtin_ctz(low) : 32 + __builtin_ctz((unsigned int)(x >> 32));
}

int __builtin_ctzl(unsigned long x)
{
    return sizeof(long) == 8 ? __builtin_ctzll(x) : __builtin_ctz((unsigned int)x);
}

/* Copies of the sign bit, after the sign bit itself. */
int __builtin_clrsb(int x)
{
    return __builtin_clz((unsigned int)(x < 0 ? ~x : x)) - 1;
}

int __builtin_clrsbll(long long x)
{
    return __builtin_clzll((unsigned long long)(x < 0 ? ~x : x)) - 1;
}

int __builtin_clrsbl(long x)
{
    return __builtin_clzl((unsigned long)(x < 0 ? ~x : x)) - 1;
}

/* The lowest set bit, counted from 1; 0 if there is none. */
int ffs(int x)
{
    return x == 0 ? 0 : 1 + __builtin_ctz((unsigned int)x);
}

int ffsll(long long x)
{
    return x == 0 ? 0 : 1 + __builtin_ctzll((unsigned long long)x);
}

int ffsl(long x)
{
    return x == 0 ? 0 : 1 + __builtin_ctzl((unsigned long)x);
}

int __builtin_ffs(int x)
{
    return ffs(x);
}

int __builtin_ffsll(long long x)
{
    return ffsll(x);
}

int __builtin_ffsl(long x)
{
    return ffsl(x);
}

unsigned short __builtin_bswap16(unsigned short x)
{
    return (unsigned short)(x << 8 | x >> 8);
}

unsigned int __builtin_bswap32(unsigned int x)
{
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

unsigned long long __builtin_bswap64(unsigned long long x)
{
    unsigned long long high = __builtin_bswap32((unsigned int)x);
    unsigned long long low = __builtin_bswap32((unsigned int)(x >> 32));
    return high << 32 | low;
}
