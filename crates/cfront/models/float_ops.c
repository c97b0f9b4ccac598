/* Exact operations of math.h: least, greatest, difference, remainder, parts, rounding to integers. Every step below is
   exact or the one rounding that the standard asks for. */

double fabs(double x);
float fabsf(float x);
long double fabsl(long double x);
double trunc(double x);
float truncf(float x);
long double truncl(long double x);
double rint(double x);
float rintf(float x);
long double rintl(long double x);
double round(double x);
float roundf(float x);
long double roundl(long double x);
double copysign(double x, double y);
float copysignf(float x, float y);
long double copysignl(long double x, long double y);

/* A NaN is missing data. */
double fmin(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x < y ? x : y;
}

double fmax(double x, double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x > y ? x : y;
}

double fdim(double x, double y)
{
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0.0;
}

/* x - n * y for the n that truncates x / y. Long division in base 2: the divisor is doubled while it fits, then halved
   again and subtracted where it fits. a - c is exact where c <= a <= 2c, and comparing the rounded a - c with c is as
   good as comparing the exact one. */
double fmod(double x, double y)
{
    double a = fabs(x);
    double b = fabs(y);
    if (x != x || y != y || a > 0x1.fffffffffffffp1023 || b == 0)
        return (x * y) / (x * y);
    if (a < b || x == 0)
        return x;
    double c = b;
    while (a - c >= c)
        c = c + c;
    for (;;) {
        if (a >= c)
            a = a - c;
        if (c == b)
            break;
        c = c / 2.0;
    }
    return copysign(a, x);
}

/* x - n * y for the n nearest to x / y, the even one of two. */
double remainder(double x, double y)
{
    double a = fabs(x);
    double b = fabs(y);
    if (x != x || y != y || a > 0x1.fffffffffffffp1023 || b == 0)
        return (x * y) / (x * y);
    if (b <= 0x1.fffffffffffffp1023 / 2.0)
        a = fmod(a, b + b);
    /* Now a < 2b, or b + b is beyond the largest number. Whether a > b / 2 is asked without rounding b / 2 or a + a. */
    if (a > b - a) {
        a = a - b;
        if (a >= b - a)
            a = a - b;
    }
    if (a == 0)
        return copysign(a, x);
    return x < 0 ? -a : a;
}

double drem(double x, double y)
{
    return remainder(x, y);
}

double modf(double x, double *whole)
{
    *whole = trunc(x);
    if (x != x)
        return x;
    if (fabs(x) > 0x1.fffffffffffffp1023)
        return copysign(0.0, x);
    return copysign(x - *whole, x);
}

long lrint(double x)
{
    return (long)rint(x);
}

long long llrint(double x)
{
    return (long long)rint(x);
}

long lround(double x)
{
    return (long)round(x);
}

long long llround(double x)
{
    return (long long)round(x);
}

/* A NaN is missing data. */
float fminf(float x, float y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x < y ? x : y;
}

float fmaxf(float x, float y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x > y ? x : y;
}

float fdimf(float x, float y)
{
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0.0f;
}

/* x - n * y for the n that truncates x / y. Long division in base 2: the divisor is doubled while it fits, then halved
   again and subtracted where it fits. a - c is exact where c <= a <= 2c, and comparing the rounded a - c with c is as
   good as comparing the exact one. */
float fmodf(float x, float y)
{
    float a = fabsf(x);
    float b = fabsf(y);
    if (x != x || y != y || a > 0x1.fffffep127f || b == 0)
        return (x * y) / (x * y);
    if (a < b || x == 0)
        return x;
    float c = b;
    while (a - c >= c)
        c = c + c;
    for (;;) {
        if (a >= c)
            a = a - c;
        if (c == b)
            break;
        c = c / 2.0f;
    }
    return copysignf(a, x);
}

/* x - n * y for the n nearest to x / y, the even one of two. */
float remainderf(float x, float y)
{
    float a = fabsf(x);
    float b = fabsf(y);
    if (x != x || y != y || a > 0x1.fffffep127f || b == 0)
        return (x * y) / (x * y);
    if (b <= 0x1.fffffep127f / 2.0f)
        a = fmodf(a, b + b);
    /* Now a < 2b, or b + b is beyond the largest number. Whether a > b / 2 is asked without rounding b / 2 or a + a. */
    if (a > b - a) {
        a = a - b;
        if (a >= b - a)
            a = a - b;
    }
    if (a == 0)
        return copysignf(a, x);
    return x < 0 ? -a : a;
}

float dremf(float x, float y)
{
    return remainderf(x, y);
}

float modff(float x, float *whole)
{
    *whole = truncf(x);
    if (x != x)
        return x;
    if (fabsf(x) > 0x1.fffffep127f)
        return copysignf(0.0f, x);
    return copysignf(x - *whole, x);
}

long lrintf(float x)
{
    return (long)rintf(x);
}

long long llrintf(float x)
{
    return (long long)rintf(x);
}

long lroundf(float x)
{
    return (long)roundf(x);
}

long long llroundf(float x)
{
    return (long long)roundf(x);
}

/* A NaN is missing data. */
long double fminl(long double x, long double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x < y ? x : y;
}

long double fmaxl(long double x, long double y)
{
    if (x != x)
        return y;
    if (y != y)
        return x;
    return x > y ? x : y;
}

long double fdiml(long double x, long double y)
{
    if (x != x || y != y)
        return x + y;
    return x > y ? x - y : 0.0L;
}

/* x - n * y for the n that truncates x / y. Long division in base 2: the divisor is doubled while it fits, then halved
   again and subtracted where it fits. a - c is exact where c <= a <= 2c, and comparing the rounded a - c with c is as
   good as comparing the exact one. */
long double fmodl(long double x, long double y)
{
    long double a = fabsl(x);
    long double b = fabsl(y);
    if (x != x || y != y || a > 0x1.fffffffffffffffep16383L || b == 0)
        return (x * y) / (x * y);
    if (a < b || x == 0)
        return x;
    long double c = b;
    while (a - c >= c)
        c = c + c;
    for (;;) {
        if (a >= c)
            a = a - c;
        if (c == b)
            break;
        c = c / 2.0L;
    }
    return copysignl(a, x);
}

/* x - n * y for the n nearest to x / y, the even one of two. */
long double remainderl(long double x, long double y)
{
    long double a = fabsl(x);
    long double b = fabsl(y);
    if (x != x || y != y || a > 0x1.fffffffffffffffep16383L || b == 0)
        return (x * y) / (x * y);
    if (b <= 0x1.fffffffffffffffep16383L / 2.0L)
        a = fmodl(a, b + b);
    /* Now a < 2b, or b + b is beyond the largest number. Whether a > b / 2 is asked without rounding b / 2 or a + a. */
    if (a > b - a) {
        a = a - b;
        if (a >= b - a)
            a = a - b;
    }
    if (a == 0)
        return copysignl(a, x);
    return x < 0 ? -a : a;
}

long double dreml(long double x, long double y)
{
    return remainderl(x, y);
}

long double modfl(long double x, long double *whole)
{
    *whole = truncl(x);
    if (x != x)
        return x;
    if (fabsl(x) > 0x1.fffffffffffffffep16383L)
        return copysignl(0.0L, x);
    return copysignl(x - *whole, x);
}

long lrintl(long double x)
{
    return (long)rintl(x);
}

long long llrintl(long double x)
{
    return (long long)rintl(x);
}

long lroundl(long double x)
{
    return (long)roundl(x);
}

long long llroundl(long double x)
{
    return (long long)roundl(x);
}

/* gcc asks for no particular rounding; these are the steps of its own library. */
double __builtin_powi(double x, int n)
{
    unsigned int left = n < 0 ? 0 - (unsigned int)n : (unsigned int)n;
    double power = left % 2 != 0 ? x : 1;
    for (left = left / 2; left != 0; left = left / 2) {
        x = x * x;
        if (left % 2 != 0)
            power = power * x;
    }
    return n < 0 ? 1 / power : power;
}

float __builtin_powif(float x, int n)
{
    unsigned int left = n < 0 ? 0 - (unsigned int)n : (unsigned int)n;
    float power = left % 2 != 0 ? x : 1;
    for (left = left / 2; left != 0; left = left / 2) {
        x = x * x;
        if (left % 2 != 0)
            power = power * x;
    }
    return n < 0 ? 1 / power : power;
}

long double __builtin_powil(long double x, int n)
{
    unsigned int left = n < 0 ? 0 - (unsigned int)n : (unsigned int)n;
    long double power = left % 2 != 0 ? x : 1;
    for (left = left / 2; left != 0; left = left / 2) {
        x = x * x;
        if (left % 2 != 0)
            power = power * x;
    }
    return n < 0 ? 1 / power : power;
}
