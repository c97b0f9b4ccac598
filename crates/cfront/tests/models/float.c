#include "check.h"
#include <limits.h>
#include <math.h>

/* Bit for bit, but any NaN is as good as another. */
#define EQUAL(x, y) ((x) != (x) ? (y) != (y) : (x) == (y) && !signbit(x) == !signbit(y))

double m___builtin_powi(double, int);
float m___builtin_powif(float, int);
long double m___builtin_powil(long double, int);
MODEL(fmin);
MODEL(fmax);
MODEL(fdim);
MODEL(fmod);
MODEL(remainder);
MODEL(copysign);
MODEL(modf);
MODEL(frexp);
MODEL(scalbn);
MODEL(scalbln);
MODEL(ldexp);
MODEL(ilogb);
MODEL(logb);
MODEL(lrint);
MODEL(llrint);
MODEL(lround);
MODEL(llround);
MODEL(nextafter);
int m___isnan(double), m_isnan(double), m_isinf(double), m_finite(double);
double m_drem(double, double);
int m___isinf(double);
int m___finite(double);
int m___signbit(double);
int m___fpclassify(double);
int m___builtin_signbit(double);
double m_nan(const char *);
MODEL(fminf);
MODEL(fmaxf);
MODEL(fdimf);
MODEL(fmodf);
MODEL(remainderf);
MODEL(copysignf);
MODEL(modff);
MODEL(frexpf);
MODEL(scalbnf);
MODEL(scalblnf);
MODEL(ldexpf);
MODEL(ilogbf);
MODEL(logbf);
MODEL(lrintf);
MODEL(llrintf);
MODEL(lroundf);
MODEL(llroundf);
MODEL(nextafterf);
int m___isnanf(float), m_isnanf(float), m_isinff(float), m_finitef(float);
float m_dremf(float, float);
int m___isinff(float);
int m___finitef(float);
int m___signbitf(float);
int m___fpclassifyf(float);
int m___builtin_signbitf(float);
float m_nanf(const char *);
MODEL(fminl);
MODEL(fmaxl);
MODEL(fdiml);
MODEL(fmodl);
MODEL(remainderl);
MODEL(copysignl);
MODEL(modfl);
MODEL(frexpl);
MODEL(scalbnl);
MODEL(scalblnl);
MODEL(ldexpl);
MODEL(ilogbl);
MODEL(logbl);
MODEL(lrintl);
MODEL(llrintl);
MODEL(lroundl);
MODEL(llroundl);
int m___isnanl(long double), m_isnanl(long double), m_isinfl(long double), m_finitel(long double);
long double m_dreml(long double, long double);
int m___isinfl(long double);
int m___finitel(long double);
int m___signbitl(long double);
int m___fpclassifyl(long double);
int m___builtin_signbitl(long double);
long double m_nanl(const char *);

static void unary(double x)
{
    int e = 0, f = 0;
    double whole, model_whole, fraction = modf(x, &whole), model_fraction = m_modf(x, &model_whole);
    CHECK(EQUAL(whole, model_whole) && EQUAL(fraction, model_fraction), "%a", x);
    fraction = frexp(x, &e), model_fraction = m_frexp(x, &f);
    CHECK(EQUAL(fraction, model_fraction) && (!isfinite(x) || e == f), "%a", x);
    CHECK(m_ilogb(x) == ilogb(x), "%a %d", x, m_ilogb(x));
    CHECK(EQUAL(m_logb(x), logb(x)), "%a %a", x, m_logb(x));
    if (fabs(x) < 0x1p62) {
        CHECK(m_lrint(x) == lrint(x) && m_llrint(x) == llrint(x), "%a", x);
        CHECK(m_lround(x) == lround(x) && m_llround(x) == llround(x), "%a", x);
    }
    CHECK(!m___isnan(x) == !isnan(x) && !m_isnan(x) == !isnan(x), "%a", x);
    CHECK(m___isinf(x) == isinf(x) && m_isinf(x) == isinf(x), "%a", x);
    CHECK(!m___finite(x) == !isfinite(x) && !m_finite(x) == !isfinite(x), "%a", x);
    CHECK(!m___signbit(x) == !signbit(x) && !m___builtin_signbit(x) == !signbit(x), "%a", x);
    CHECK(m___fpclassify(x) == fpclassify(x), "%a %d", x, m___fpclassify(x));
    static const int powers[] = {0, 1, -1, 23, -24, 52, -53, -64, 126, 127, 128, -126, -149, -150, 400, -500, 1022, 1023, 1024,
                                 -1022, -1074, -1080, 2046, -2100, -2098, 5000, 16383, -16382, -16445, -16500, 33000, -33000,
                                 INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof powers / sizeof *powers; i++) {
        int n = powers[i];
        CHECK(EQUAL(m___builtin_powi(x, n), __builtin_powi(x, n)), "%a %d", x, n);
        CHECK(EQUAL(m_scalbn(x, n), scalbn(x, n)), "%a %d: %a", x, n, m_scalbn(x, n));
        CHECK(EQUAL(m_ldexp(x, n), ldexp(x, n)), "%a %d: %a", x, n, m_ldexp(x, n));
        CHECK(EQUAL(m_scalbln(x, n * 3L), scalbln(x, n * 3L)), "%a %d", x, n);
    }
}

static void binary(double x, double y)
{
    /* Of two zeros, either is the least. */
    CHECK(m_fmin(x, y) == fmin(x, y) || EQUAL(m_fmin(x, y), fmin(x, y)), "%a %a", x, y);
    CHECK(m_fmax(x, y) == fmax(x, y) || EQUAL(m_fmax(x, y), fmax(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_fdim(x, y), fdim(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_copysign(x, y), copysign(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_fmod(x, y), fmod(x, y)), "%a %a: %a %a", x, y, m_fmod(x, y), fmod(x, y));
    CHECK(EQUAL(m_drem(x, y), remainder(x, y)), "drem");
    CHECK(EQUAL(m_remainder(x, y), remainder(x, y)), "%a %a: %a %a", x, y, m_remainder(x, y), remainder(x, y));
    CHECK(EQUAL(m_nextafter(x, y), nextafter(x, y)), "%a %a", x, y);
}

static double any(void)
{
    /* Everything special, then any exponent with a few or many bits. */
    const double special[] = {0, 1, 0.5, 1.5, 2.5, 3, INFINITY, NAN, 0x1p62, __DBL_MAX__,
                            __DBL_MIN__, __DBL_DENORM_MIN__};
    double sign = below(2) ? 1 : -1;
    if (below(4) == 0)
        return sign * special[below(sizeof special / sizeof *special)];
    unsigned long long bits = (next_random() ^ next_random() << 20) >> below(64);
    int exponent = below(3) ? below(80) - 70 : below(1023 * 2 + 100) - 1023 - 150;
    return sign * scalbn((double)bits, exponent);
}

static void unaryf(float x)
{
    int e = 0, f = 0;
    float whole, model_whole, fraction = modff(x, &whole), model_fraction = m_modff(x, &model_whole);
    CHECK(EQUAL(whole, model_whole) && EQUAL(fraction, model_fraction), "%a", x);
    fraction = frexpf(x, &e), model_fraction = m_frexpf(x, &f);
    CHECK(EQUAL(fraction, model_fraction) && (!isfinite(x) || e == f), "%a", x);
    CHECK(m_ilogbf(x) == ilogbf(x), "%a %d", x, m_ilogbf(x));
    CHECK(EQUAL(m_logbf(x), logbf(x)), "%a %a", x, m_logbf(x));
    if (fabsf(x) < 0x1p62) {
        CHECK(m_lrintf(x) == lrintf(x) && m_llrintf(x) == llrintf(x), "%a", x);
        CHECK(m_lroundf(x) == lroundf(x) && m_llroundf(x) == llroundf(x), "%a", x);
    }
    CHECK(!m___isnanf(x) == !isnan(x) && !m_isnanf(x) == !isnan(x), "%a", x);
    CHECK(m___isinff(x) == isinf(x) && m_isinff(x) == isinf(x), "%a", x);
    CHECK(!m___finitef(x) == !isfinite(x) && !m_finitef(x) == !isfinite(x), "%a", x);
    CHECK(!m___signbitf(x) == !signbit(x) && !m___builtin_signbitf(x) == !signbit(x), "%a", x);
    CHECK(m___fpclassifyf(x) == fpclassify(x), "%a %d", x, m___fpclassifyf(x));
    static const int powers[] = {0, 1, -1, 23, -24, 52, -53, -64, 126, 127, 128, -126, -149, -150, 400, -500, 1022, 1023, 1024,
                                 -1022, -1074, -1080, 2046, -2100, -2098, 5000, 16383, -16382, -16445, -16500, 33000, -33000,
                                 INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof powers / sizeof *powers; i++) {
        int n = powers[i];
        CHECK(EQUAL(m___builtin_powif(x, n), __builtin_powif(x, n)), "%a %d", x, n);
        CHECK(EQUAL(m_scalbnf(x, n), scalbnf(x, n)), "%a %d: %a", x, n, m_scalbnf(x, n));
        CHECK(EQUAL(m_ldexpf(x, n), ldexpf(x, n)), "%a %d: %a", x, n, m_ldexpf(x, n));
        CHECK(EQUAL(m_scalblnf(x, n * 3L), scalblnf(x, n * 3L)), "%a %d", x, n);
    }
}

static void binaryf(float x, float y)
{
    /* Of two zeros, either is the least. */
    CHECK(m_fminf(x, y) == fminf(x, y) || EQUAL(m_fminf(x, y), fminf(x, y)), "%a %a", x, y);
    CHECK(m_fmaxf(x, y) == fmaxf(x, y) || EQUAL(m_fmaxf(x, y), fmaxf(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_fdimf(x, y), fdimf(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_copysignf(x, y), copysignf(x, y)), "%a %a", x, y);
    CHECK(EQUAL(m_fmodf(x, y), fmodf(x, y)), "%a %a: %a %a", x, y, m_fmodf(x, y), fmodf(x, y));
    CHECK(EQUAL(m_dremf(x, y), remainderf(x, y)), "drem");
    CHECK(EQUAL(m_remainderf(x, y), remainderf(x, y)), "%a %a: %a %a", x, y, m_remainderf(x, y), remainderf(x, y));
    CHECK(EQUAL(m_nextafterf(x, y), nextafterf(x, y)), "%a %a", x, y);
}

static float anyf(void)
{
    /* Everything special, then any exponent with a few or many bits. */
    const float special[] = {0, 1, 0.5, 1.5, 2.5, 3, INFINITY, NAN, 0x1p62, __FLT_MAX__,
                            __FLT_MIN__, __FLT_DENORM_MIN__};
    float sign = below(2) ? 1 : -1;
    if (below(4) == 0)
        return sign * special[below(sizeof special / sizeof *special)];
    unsigned long long bits = (next_random() ^ next_random() << 20) >> below(64);
    int exponent = below(3) ? below(80) - 70 : below(127 * 2 + 100) - 127 - 150;
    return sign * scalbnf((float)bits, exponent);
}

static void unaryl(long double x)
{
    int e = 0, f = 0;
    long double whole, model_whole, fraction = modfl(x, &whole), model_fraction = m_modfl(x, &model_whole);
    CHECK(EQUAL(whole, model_whole) && EQUAL(fraction, model_fraction), "%La", x);
    fraction = frexpl(x, &e), model_fraction = m_frexpl(x, &f);
    CHECK(EQUAL(fraction, model_fraction) && (!isfinite(x) || e == f), "%La", x);
    CHECK(m_ilogbl(x) == ilogbl(x), "%La %d", x, m_ilogbl(x));
    CHECK(EQUAL(m_logbl(x), logbl(x)), "%La %La", x, m_logbl(x));
    if (fabsl(x) < 0x1p62) {
        CHECK(m_lrintl(x) == lrintl(x) && m_llrintl(x) == llrintl(x), "%La", x);
        CHECK(m_lroundl(x) == lroundl(x) && m_llroundl(x) == llroundl(x), "%La", x);
    }
    CHECK(!m___isnanl(x) == !isnan(x) && !m_isnanl(x) == !isnan(x), "%La", x);
    CHECK(m___isinfl(x) == isinf(x) && m_isinfl(x) == isinf(x), "%La", x);
    CHECK(!m___finitel(x) == !isfinite(x) && !m_finitel(x) == !isfinite(x), "%La", x);
    CHECK(!m___signbitl(x) == !signbit(x) && !m___builtin_signbitl(x) == !signbit(x), "%La", x);
    CHECK(m___fpclassifyl(x) == fpclassify(x), "%La %d", x, m___fpclassifyl(x));
    static const int powers[] = {0, 1, -1, 23, -24, 52, -53, -64, 126, 127, 128, -126, -149, -150, 400, -500, 1022, 1023, 1024,
                                 -1022, -1074, -1080, 2046, -2100, -2098, 5000, 16383, -16382, -16445, -16500, 33000, -33000,
                                 INT_MAX, INT_MIN};
    for (unsigned i = 0; i < sizeof powers / sizeof *powers; i++) {
        int n = powers[i];
        CHECK(EQUAL(m___builtin_powil(x, n), __builtin_powil(x, n)), "%La %d", x, n);
        CHECK(EQUAL(m_scalbnl(x, n), scalbnl(x, n)), "%La %d: %La", x, n, m_scalbnl(x, n));
        CHECK(EQUAL(m_ldexpl(x, n), ldexpl(x, n)), "%La %d: %La", x, n, m_ldexpl(x, n));
        CHECK(EQUAL(m_scalblnl(x, n * 3L), scalblnl(x, n * 3L)), "%La %d", x, n);
    }
}

static void binaryl(long double x, long double y)
{
    /* Of two zeros, either is the least. */
    CHECK(m_fminl(x, y) == fminl(x, y) || EQUAL(m_fminl(x, y), fminl(x, y)), "%La %La", x, y);
    CHECK(m_fmaxl(x, y) == fmaxl(x, y) || EQUAL(m_fmaxl(x, y), fmaxl(x, y)), "%La %La", x, y);
    CHECK(EQUAL(m_fdiml(x, y), fdiml(x, y)), "%La %La", x, y);
    CHECK(EQUAL(m_copysignl(x, y), copysignl(x, y)), "%La %La", x, y);
    CHECK(EQUAL(m_fmodl(x, y), fmodl(x, y)), "%La %La: %La %La", x, y, m_fmodl(x, y), fmodl(x, y));
    CHECK(EQUAL(m_dreml(x, y), remainderl(x, y)), "drem");
    CHECK(EQUAL(m_remainderl(x, y), remainderl(x, y)), "%La %La: %La %La", x, y, m_remainderl(x, y), remainderl(x, y));
}

static long double anyl(void)
{
    /* Everything special, then any exponent with a few or many bits. */
    const long double special[] = {0, 1, 0.5, 1.5, 2.5, 3, INFINITY, NAN, 0x1p62, __LDBL_MAX__,
                            __LDBL_MIN__, __LDBL_DENORM_MIN__};
    long double sign = below(2) ? 1 : -1;
    if (below(4) == 0)
        return sign * special[below(sizeof special / sizeof *special)];
    unsigned long long bits = (next_random() ^ next_random() << 20) >> below(64);
    int exponent = below(3) ? below(80) - 70 : below(16383 * 2 + 100) - 16383 - 150;
    return sign * scalbnl((long double)bits, exponent);
}

int main(void)
{
    CHECK(isnan(m_nan("")) && !signbit(m_nan("")), "nan");
    CHECK(isnan(m_nanf("")) && !signbit(m_nanf("")), "nanf");
    CHECK(isnan(m_nanl("")) && !signbit(m_nanl("")), "nanl");
    for (int i = 0; i < 3000; i++) {
        double x = any();
        float y = anyf();
        long double z = anyl();
        unary(x), unaryf(y), unaryl(z);
        binary(x, any()), binaryf(y, anyf());
        binary(x, x), binary(x, -x), binary(x, x / 2), binary(x * 1.5, x);
        binaryf(y, y), binaryf(y, -y), binaryf(y, y / 2), binaryf(y * 1.5f, y);
        if (i % 10 == 0) /* thousands of steps each */
            binaryl(z, anyl()), binaryl(z, z / 2), binaryl(z * 1.5L, z);
    }
    return finish();
}
