/* Infinities, NaNs, signed zeros: arithmetic, comparisons, conditions, classification. */
#include <math.h>
#include <stdio.h>

static const char *name(double x)
{
    if (isnan(x))
        return "nan";
    if (isinf(x))
        return x > 0 ? "inf" : "-inf";
    if (x == 0)
        return signbit(x) ? "-0" : "0";
    return x > 0 ? "+" : "-";
}

static void compare(double a, double b)
{
    printf("%s %s: %d%d%d%d%d%d %d%d%d\n", name(a), name(b), a < b, a <= b, a == b, a != b, a >= b, a > b, !(a < b), !(a >= b),
           a < b || a >= b);
}

int main(void)
{
    volatile double zero = 0, one = 1;
    double inf = one / zero, nan = zero / zero, minus_zero = -zero;
    double list[] = {inf, -inf, nan, 0, minus_zero, 1, -1};
    for (int i = 0; i < 7; i++)
        for (int k = 0; k < 7; k++)
            compare(list[i], list[k]);
    for (int i = 0; i < 7; i++) {
        for (int k = 0; k < 7; k++)
            printf("%s,%s,%s,%s ", name(list[i] + list[k]), name(list[i] - list[k]), name(list[i] * list[k]), name(list[i] / list[k]));
        printf("\n");
    }
    for (int i = 0; i < 7; i++)
        printf("%d%d%d%d%d ", list[i] ? 1 : 0, !list[i], list[i] && 1, list[i] == list[i], (_Bool)list[i]);
    printf("\n");
    printf("%s %s %s %s\n", name(-nan), name(minus_zero + 0), name(minus_zero + minus_zero), name(minus_zero - 0));
    printf("%s %s %s\n", name(one / minus_zero), name(-inf * 0), name(inf - inf));
    printf("%d %d %d %d\n", isfinite(one), isfinite(inf), isnormal(1e-310), !!isnan(nan));
    printf("%d %d %d %d %d\n", fpclassify(nan) == FP_NAN, fpclassify(inf) == FP_INFINITE, fpclassify(zero) == FP_ZERO,
           fpclassify(5e-324) == FP_SUBNORMAL, fpclassify(one) == FP_NORMAL);
    printf("%s %s %s\n", name(fabs(minus_zero)), name(copysign(3, minus_zero)), name(fabs(-inf)));
    printf("%s %g %g\n", name(fmin(nan, 3)), fmax(nan, 3), fmin(-inf, 3));
    printf("%g %g %g %g %g\n", floor(-1.5), ceil(-1.5), trunc(-1.5), round(-2.5), rint(2.5));
    printf("%s %s %s\n", name(ceil(-0.5)), name(floor(inf)), name(sqrt(-one)));
    printf("%.17g %g %g\n", sqrt(2), fmod(7.5, 2), fmod(-7.5, 2));
    int e;
    double m = frexp(48, &e), whole, part = modf(-3.75, &whole);
    printf("%g %d %g %g %g\n", m, e, ldexp(0.75, 4), whole, part);
    float finf = (float)1e300, fnan = (float)nan;
    printf("%s %s %d\n", name(finf), name(fnan), isunordered(fnan, 1));
    printf("%d %d %d\n", isless(1, nan), isgreater(2, 1.0), islessgreater(1.0, 2));
    printf("%s %s\n", name(INFINITY), name(NAN));
    int count = 0;
    for (double x = 1; x < inf; x *= 1e30)
        count++;
    return count;
}
