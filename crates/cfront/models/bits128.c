/* The swap that needs a type of 128 bits, which not every target has. */

unsigned long long __builtin_bswap64(unsigned long long x);

unsigned __int128 __builtin_bswap128(unsigned __int128 x)
{
    unsigned __int128 high = __builtin_bswap64((unsigned long long)x);
    return high << 64 | __builtin_bswap64((unsigned long long)(x >> 64));
}
