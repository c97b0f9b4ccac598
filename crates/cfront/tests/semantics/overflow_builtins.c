/* __builtin_*_overflow: every width and mixture; the result is the wrapped value, the answer is exact. */
#include <limits.h>
#include <stdio.h>

#define TRY(op, type, a, b)                                    \
    do {                                                       \
        type r_;                                               \
        int o_ = __builtin_##op##_overflow((a), (b), &r_);     \
        printf(#op " " #type " %d %lld\n", o_, (long long)r_); \
    } while (0)

static int checked_sum(const int *a, int n, int *out)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        if (__builtin_add_overflow(s, a[i], &s))
            return 0;
    *out = s;
    return 1;
}

int main(void)
{
    TRY(add, int, INT_MAX, 1);
    TRY(add, int, INT_MAX, 0);
    TRY(add, long, INT_MAX, 1);
    TRY(add, unsigned, INT_MAX, 1);
    TRY(add, unsigned, -1, 1);
    TRY(add, unsigned, -1, 0);
    TRY(add, signed char, 100, 28);
    TRY(add, signed char, 100, 27);
    TRY(add, unsigned char, 200, 55);
    TRY(add, unsigned char, 200u, 56);
    TRY(add, int, UINT_MAX, 1);
    TRY(add, int, UINT_MAX, -1);
    TRY(add, long long, LLONG_MAX, 1);
    TRY(add, unsigned long long, ULLONG_MAX, 1);
    TRY(add, long long, ULLONG_MAX, LLONG_MIN);
    TRY(sub, int, INT_MIN, 1);
    TRY(sub, unsigned, 3, 4);
    TRY(sub, unsigned, 3, -4);
    TRY(sub, int, 3u, 4u);
    TRY(sub, unsigned long long, 0, 1);
    TRY(sub, short, -32768, 1);
    TRY(sub, long long, 0, LLONG_MIN);
    TRY(mul, int, 65536, 32767);
    TRY(mul, int, 65536, 32768);
    TRY(mul, int, -65536, 32768);
    TRY(mul, unsigned, 65536, 65536);
    TRY(mul, unsigned, -1, -1);
    TRY(mul, unsigned, -1, 1);
    TRY(mul, long long, LLONG_MIN, -1);
    TRY(mul, long long, 3037000500LL, 3037000500LL);
    TRY(mul, unsigned long long, 1ull << 32, 1ull << 32);
    TRY(mul, unsigned char, 16, 16);
    TRY(mul, signed char, -16, 8);
    int r, a[] = {INT_MAX - 5, 3, 2}, b[] = {INT_MAX - 5, 3, 3};
    printf("%d ", checked_sum(a, 3, &r));
    printf("%d %d\n", r, checked_sum(b, 3, &r));
    unsigned u;
    long l;
    printf("%d ", __builtin_uadd_overflow(4000000000u, 300000000u, &u));
    printf("%u ", u);
    printf("%d ", __builtin_smul_overflow(50000, 50000, &r));
    printf("%d ", r);
    printf("%d ", __builtin_ssubl_overflow(LONG_MIN, 1, &l));
    printf("%ld\n", l);
    printf("%d %d\n", __builtin_add_overflow_p(INT_MAX, 1, (int)0), __builtin_mul_overflow_p(INT_MAX, 2, 0LL));
    return r & 127;
}
