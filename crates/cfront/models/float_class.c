/* What kind of number a float is (math.h), under the names that headers give the question. Comparisons
   answer all but the sign, which zeros and NaNs also have: that takes the bits. */

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

static int sign(double x)
{
    union double_bits u;
    u.value = x;
    return (int)(u.bits >> 63);
}

static int sign_float(float x)
{
    union float_bits u;
    u.value = x;
    return (int)(u.bits >> 31);
}

static int sign_long(long double x)
{
    union long_double_bits u;
    u.value = x;
    return u.parts.exponent >> 15;
}

/* glibc: -1 for minus infinity, 1 for infinity; the sign is any number but 0 where it is set. */
int __isnan(double x)
{
    return x != x;
}

int isnan(double x)
{
    return x != x;
}

int __isinf(double x)
{
    return x > 0x1.fffffffffffffp1023 ? 1 : x < -0x1.fffffffffffffp1023 ? -1 : 0;
}

int isinf(double x)
{
    return x > 0x1.fffffffffffffp1023 ? 1 : x < -0x1.fffffffffffffp1023 ? -1 : 0;
}

int __finite(double x)
{
    return x >= -0x1.fffffffffffffp1023 && x <= 0x1.fffffffffffffp1023;
}

int finite(double x)
{
    return x >= -0x1.fffffffffffffp1023 && x <= 0x1.fffffffffffffp1023;
}

int __signbit(double x)
{
    return sign(x);
}

int __builtin_signbit(double x)
{
    return sign(x);
}

/* FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4. */
int __fpclassify(double x)
{
    if (x != x)
        return 0;
    if (x > 0x1.fffffffffffffp1023 || x < -0x1.fffffffffffffp1023)
        return 1;
    if (x == 0)
        return 2;
    return x > -0x1p-1022 && x < 0x1p-1022 ? 3 : 4;
}

int __isnanf(float x)
{
    return x != x;
}

int isnanf(float x)
{
    return x != x;
}

int __isinff(float x)
{
    return x > 0x1.fffffep127f ? 1 : x < -0x1.fffffep127f ? -1 : 0;
}

int isinff(float x)
{
    return x > 0x1.fffffep127f ? 1 : x < -0x1.fffffep127f ? -1 : 0;
}

int __finitef(float x)
{
    return x >= -0x1.fffffep127f && x <= 0x1.fffffep127f;
}

int finitef(float x)
{
    return x >= -0x1.fffffep127f && x <= 0x1.fffffep127f;
}

int __signbitf(float x)
{
    return sign_float(x);
}

int __builtin_signbitf(float x)
{
    return sign_float(x);
}

/* FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4. */
int __fpclassifyf(float x)
{
    if (x != x)
        return 0;
    if (x > 0x1.fffffep127f || x < -0x1.fffffep127f)
        return 1;
    if (x == 0)
        return 2;
    return x > -0x1p-126f && x < 0x1p-126f ? 3 : 4;
}

int __isnanl(long double x)
{
    return x != x;
}

int isnanl(long double x)
{
    return x != x;
}

int __isinfl(long double x)
{
    return x > 0x1.fffffffffffffffep16383L ? 1 : x < -0x1.fffffffffffffffep16383L ? -1 : 0;
}

int isinfl(long double x)
{
    return x > 0x1.fffffffffffffffep16383L ? 1 : x < -0x1.fffffffffffffffep16383L ? -1 : 0;
}

int __finitel(long double x)
{
    return x >= -0x1.fffffffffffffffep16383L && x <= 0x1.fffffffffffffffep16383L;
}

int finitel(long double x)
{
    return x >= -0x1.fffffffffffffffep16383L && x <= 0x1.fffffffffffffffep16383L;
}

int __signbitl(long double x)
{
    return sign_long(x);
}

int __builtin_signbitl(long double x)
{
    return sign_long(x);
}

/* FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4. */
int __fpclassifyl(long double x)
{
    if (x != x)
        return 0;
    if (x > 0x1.fffffffffffffffep16383L || x < -0x1.fffffffffffffffep16383L)
        return 1;
    if (x == 0)
        return 2;
    return x > -0x1p-16382L && x < 0x1p-16382L ? 3 : 4;
}
