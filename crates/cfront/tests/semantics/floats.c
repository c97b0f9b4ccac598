/* float and double arithmetic: rounding in each type, mixed operands, contraction of nothing. */
#include <float.h>
#include <stdio.h>
#include <string.h>

static unsigned bits(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static unsigned long long bits64(double d)
{
    unsigned long long u;
    memcpy(&u, &d, sizeof u);
    return u;
}

static double horner(const double *c, int n, double x)
{
    double r = 0;
    while (n-- > 0)
        r = r * x + c[n];
    return r;
}

static double newton(double a)
{
    double x = a;
    for (int i = 0; i < 20; i++)
        x = (x + a / x) / 2;
    return x;
}

int main(void)
{
    volatile float a = 0.1f, b = 0.2f, third = 1.0f / 3;
    volatile double c = 0.1, d = 0.2;
    printf("%x %x %x %x\n", bits(a + b), bits(a * b), bits(a / b), bits(a - b));
    printf("%llx %llx %llx %llx\n", bits64(c + d), bits64(c * d), bits64(c / d), bits64(c - d));
    printf("%d %d %d\n", c + d == 0.3, a + b == 0.3f, (double)a == c);
    printf("%llx %llx\n", bits64(a + d), bits64((double)a * b));
    printf("%x %x\n", bits(c), bits(third * 3));
    float f = 16777216;
    f += 1;
    printf("%.1f ", f);
    f += 2;
    printf("%.1f\n", f);
    double sum = 0;
    float fsum = 0;
    for (int i = 1; i <= 1000; i++) {
        sum += 1.0 / i;
        fsum += 1.0f / i;
    }
    printf("%.17g %.9g\n", sum, fsum);
    double poly[] = {1, -2, 0.5, 3};
    printf("%.17g %.17g\n", horner(poly, 4, 1.1), newton(2));
    printf("%g %g %g %g\n", 1e300 * 1e10, -1e300 * 1e10, 1e-300 * 1e-300, FLT_MAX * 2.0f);
    volatile float tiny = FLT_MIN;
    volatile double dtiny = DBL_MIN;
    printf("%x %x %llx %llx\n", bits(tiny / 2), bits(tiny / 16777216), bits64(dtiny / 4), bits64(dtiny / 3));
    printf("%llx %llx\n", bits64(0x1.8p-1074), bits64(0x1p-1074));
    printf("%x %x %x\n", bits(1e-46f), bits(0x1.fffffep127f), bits(0x1.fffffefp127));
    printf("%d %d %d %d\n", 1.5 < 2, 1.5f == 1.5, -0.5 > 0, 2.0 >= 2.0f);
    printf("%g %g %g\n", -c, +d, -(a - a));
    printf("%g %g %g\n", 7 / 2 * 1.0, 7 / 2.0, (float)7 / 2);
    f = 1.0f, f /= 3, sum = f;
    printf("%llx\n", bits64(sum));
    printf("%.3f %.0f %.0f %.0f %e %g %g\n", 2.0005, 0.5, 1.5, 2.5, 12345.678, 1e-5, 123456789.0);
    return (int)(newton(50) * 10);
}
