/* Unsigned arithmetic wraps; signed arithmetic does as with -fwrapv. */
#include <limits.h>
#include <stdio.h>

static unsigned hash(const char *s)
{
    unsigned h = 2166136261u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 16777619u;
    return h;
}

static unsigned long long lcg(unsigned long long x)
{
    return x * 6364136223846793005ull + 1442695040888963407ull;
}

int main(void)
{
    unsigned char uc = 255;
    uc++;
    printf("%d ", uc);
    uc--;
    printf("%d ", uc);
    unsigned short us = 0;
    us -= 1;
    printf("%d ", us);
    us *= us;
    printf("%d\n", us);

    unsigned u = UINT_MAX;
    printf("%u %u %u %u\n", u + 1, u * u, -u, 0 - 5u);
    unsigned long long ull = ULLONG_MAX;
    printf("%llu %llu %llu\n", ull + 2, ull * 3, -1 - ull);
    printf("%u %u %u\n", hash(""), hash("a"), hash("the quick brown fox"));
    unsigned long long x = 42;
    for (int i = 0; i < 10; i++)
        x = lcg(x);
    printf("%llu\n", x);

    volatile int imax = INT_MAX, imin = INT_MIN;
    printf("%d %d %d %d\n", imax + 1, imin - 1, -imin, imax * 2);
    printf("%d %d\n", imin * -1, imax * imax);
    volatile long long lmax = LLONG_MAX;
    printf("%lld %lld %lld\n", lmax + 1, lmax * 2, -(lmax + 1));
    int i = imax;
    i++;
    printf("%d\n", i);
    i -= 1;
    printf("%d\n", i);
    short s = SHRT_MAX;
    s += 1;
    printf("%d\n", s);
    signed char c = -128;
    c--;
    printf("%d\n", c);
    c = -c;
    printf("%d\n", c);
    int shifted = imax << 1;
    printf("%d\n", shifted);
    unsigned difference = 3u - 5u;
    printf("%u %d\n", difference, (int)difference);
    return (int)(hash("exit") % 100);
}
