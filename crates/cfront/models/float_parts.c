/* Sign, significand and exponent of floats (math.h), by their bits. */

union double_bits {
    double value;
    unsigned long long bits;
};

union float_bits {
    float value;
    unsigned int bits;
};

/* The x87 format: 64 bits of significand, the leading one included, then 15 bits of exponent and the sign. */
union long_double_bits {
    long double value;
    struct {
        unsigned long long significand;
        unsigned short exponent;
    } parts;
};

double copysign(double x, double y)
{
    union double_bits a, b;
    a.value = x;
    b.value = y;
    a.bits = (a.bits & 0x7fffffffffffffffull) | (b.bits & 0x8000000000000000ull);
    return a.value;
}

float copysignf(float x, float y)
{
    union float_bits a, b;
    a.value = x;
    b.value = y;
    a.bits = (a.bits & 0x7fffffffu) | (b.bits & 0x80000000u);
    return a.value;
}

long double copysignl(long double x, long double y)
{
    union long_double_bits a, b;
    a.value = x;
    b.value = y;
    a.parts.exponent = (unsigned short)((a.parts.exponent & 0x7fff) | (b.parts.exponent & 0x8000));
    return a.value;
}

/* A quiet NaN; the tag is ignored. */
double nan(const char *tag)
{
    union double_bits u;
    (void)tag;
    u.bits = 0x7ff8000000000000ull;
    return u.value;
}

float nanf(const char *tag)
{
    union float_bits u;
    (void)tag;
    u.bits = 0x7fc00000u;
    return u.value;
}

long double nanl(const char *tag)
{
    union long_double_bits u;
    (void)tag;
    u.parts.significand = 0xc000000000000000ull;
    u.parts.exponent = 0x7fff;
    return u.value;
}

/* Splits x into a fraction from 0.5 up to 1 and a power of two. Subnormals are first scaled up. */
double frexp(double x, int *exponent)
{
    union double_bits u;
    int scaled = 0;
    u.value = x;
    if (x == 0 || (u.bits >> 52 & 0x7ff) == 0x7ff) {
        *exponent = 0;
        return x;
    }
    if ((u.bits >> 52 & 0x7ff) == 0) {
        u.value = x * 0x1p64;
        scaled = 64;
    }
    *exponent = (int)(u.bits >> 52 & 0x7ff) - 1022 - scaled;
    u.bits = (u.bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
    return u.value;
}

float frexpf(float x, int *exponent)
{
    union float_bits u;
    int scaled = 0;
    u.value = x;
    if (x == 0 || (u.bits >> 23 & 0xff) == 0xff) {
        *exponent = 0;
        return x;
    }
    if ((u.bits >> 23 & 0xff) == 0) {
        u.value = x * 0x1p64f;
        scaled = 64;
    }
    *exponent = (int)(u.bits >> 23 & 0xff) - 126 - scaled;
    u.bits = (u.bits & 0x807fffffu) | 0x3f000000u;
    return u.value;
}

long double frexpl(long double x, int *exponent)
{
    union long_double_bits u;
    int scaled = 0;
    u.value = x;
    if (x == 0 || (u.parts.exponent & 0x7fff) == 0x7fff) {
        *exponent = 0;
        return x;
    }
    if ((u.parts.exponent & 0x7fff) == 0) {
        u.value = x * 0x1p120L;
        scaled = 120;
    }
    *exponent = (u.parts.exponent & 0x7fff) - 16382 - scaled;
    u.parts.exponent = (unsigned short)((u.parts.exponent & 0x8000) | 0x3ffe);
    return u.value;
}

/* x times 2 to the n, rounded once: only the last multiplication may round. A step down leaves 53 bits of room above
   the subnormals for that; what is clamped is far out of range anyway. */
double scalbn(double x, int n)
{
    union double_bits power;
    if (n > 1023) {
        x = x * 0x1p1023;
        n = n - 1023;
        if (n > 1023) {
            x = x * 0x1p1023;
            n = n - 1023;
            if (n > 1023)
                n = 1023;
        }
    } else if (n < -1022) {
        x = x * 0x1p-969;
        n = n + 969;
        if (n < -1022) {
            x = x * 0x1p-969;
            n = n + 969;
            if (n < -1022)
                n = -1022;
        }
    }
    power.bits = (unsigned long long)(n + 1023) << 52;
    return x * power.value;
}

/* The product is exact in double, so the conversion rounds once. */
float scalbnf(float x, int n)
{
    if (n > 400)
        n = 400;
    if (n < -400)
        n = -400;
    union double_bits power;
    power.bits = (unsigned long long)(n + 1023) << 52;
    return (float)((double)x * power.value);
}

long double scalbnl(long double x, int n)
{
    union long_double_bits power;
    if (n > 16383) {
        x = x * 0x1p16383L;
        n = n - 16383;
        if (n > 16383) {
            x = x * 0x1p16383L;
            n = n - 16383;
            if (n > 16383)
                n = 16383;
        }
    } else if (n < -16382) {
        x = x * 0x1p-16269L;
        n = n + 16269;
        if (n < -16382) {
            x = x * 0x1p-16269L;
            n = n + 16269;
            if (n < -16382)
                n = -16382;
        }
    }
    power.parts.significand = 0x8000000000000000ull;
    power.parts.exponent = (unsigned short)(n + 16383);
    return x * power.value;
}

static int clamp(long n)
{
    return n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n;
}

double ldexp(double x, int n)
{
    return scalbn(x, n);
}

double scalbln(double x, long n)
{
    return scalbn(x, clamp(n));
}

/* glibc's results for 0 and NaN (INT_MIN) and for infinity (INT_MAX). */
int ilogb(double x)
{
    int exponent;
    if (x == 0 || x != x)
        return -0x7fffffff - 1;
    if (x > 0x1.fffffffffffffp1023 || x < -0x1.fffffffffffffp1023)
        return 0x7fffffff;
    frexp(x, &exponent);
    return exponent - 1;
}

double logb(double x)
{
    int exponent;
    if (x == 0)
        return -1.0 / (x * x);
    if (x != x || x > 0x1.fffffffffffffp1023 || x < -0x1.fffffffffffffp1023)
        return x * x;
    frexp(x, &exponent);
    return (double)(exponent - 1);
}

float ldexpf(float x, int n)
{
    return scalbnf(x, n);
}

float scalblnf(float x, long n)
{
    return scalbnf(x, clamp(n));
}

/* glibc's results for 0 and NaN (INT_MIN) and for infinity (INT_MAX). */
int ilogbf(float x)
{
    int exponent;
    if (x == 0 || x != x)
        return -0x7fffffff - 1;
    if (x > 0x1.fffffep127f || x < -0x1.fffffep127f)
        return 0x7fffffff;
    frexpf(x, &exponent);
    return exponent - 1;
}

float logbf(float x)
{
    int exponent;
    if (x == 0)
        return -1.0f / (x * x);
    if (x != x || x > 0x1.fffffep127f || x < -0x1.fffffep127f)
        return x * x;
    frexpf(x, &exponent);
    return (float)(exponent - 1);
}

long double ldexpl(long double x, int n)
{
    return scalbnl(x, n);
}

long double scalblnl(long double x, long n)
{
    return scalbnl(x, clamp(n));
}

/* glibc's results for 0 and NaN (INT_MIN) and for infinity (INT_MAX). */
int ilogbl(long double x)
{
    int exponent;
    if (x == 0 || x != x)
        return -0x7fffffff - 1;
    if (x > 0x1.fffffffffffffffep16383L || x < -0x1.fffffffffffffffep16383L)
        return 0x7fffffff;
    frexpl(x, &exponent);
    return exponent - 1;
}

long double logbl(long double x)
{
    int exponent;
    if (x == 0)
        return -1.0L / (x * x);
    if (x != x || x > 0x1.fffffffffffffffep16383L || x < -0x1.fffffffffffffffep16383L)
        return x * x;
    frexpl(x, &exponent);
    return (long double)(exponent - 1);
}

/* The neighbour of x in the direction of y: the numbers of one sign are ordered as their bits. */
double nextafter(double x, double y)
{
    union double_bits u;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    u.value = x;
    if (x == 0)
        u.bits = y > 0 ? 1 : 0x8000000000000001ull;
    else if ((x < y) == (x > 0))
        u.bits = u.bits + 1;
    else
        u.bits = u.bits - 1;
    return u.value;
}

float nextafterf(float x, float y)
{
    union float_bits u;
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    u.value = x;
    if (x == 0)
        u.bits = y > 0 ? 1 : 0x80000001u;
    else if ((x < y) == (x > 0))
        u.bits = u.bits + 1;
    else
        u.bits = u.bits - 1;
    return u.value;
}
