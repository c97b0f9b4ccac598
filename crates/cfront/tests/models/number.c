#include "check.h"
#include <errno.h>
#include <inttypes.h>

MODEL(atoi);
MODEL(atol);
MODEL(atoll);
MODEL(strtol);
MODEL(strtoul);
MODEL(strtoll);
MODEL(strtoull);
MODEL(strtoimax);
MODEL(strtoumax);
int *m___errno_location(void);
long m___isoc23_strtol(const char *, char **, int);
unsigned long m___isoc23_strtoul(const char *, char **, int);
long long m___isoc23_strtoll(const char *, char **, int);
unsigned long long m___isoc23_strtoull(const char *, char **, int);

#define SAME(name, s, base)                                                                                       \
    do {                                                                                                          \
        char *p = (char *)s - 7, *q = p;                                                                          \
        errno = *m___errno_location() = 5;                                                                        \
        __auto_type x = name(s, &p, base);                                                                        \
        int expected = errno;                                                                                     \
        __auto_type y = m_##name(s, &q, base);                                                                    \
        int got = *m___errno_location();                                                                          \
        /* glibc may also say EINVAL when there are no digits; C does not. */                                     \
        CHECK(x == y && p == q && (expected == got || (expected == EINVAL && p == (char *)s)),                    \
              "'%s' %d: %lld %lld, %td %td, errno %d %d", s, base, (long long)x, (long long)y, p - s, q - s, expected, got); \
        CHECK(m_##name(s, 0, base) == x, "%s %d", s, base);                                                       \
    } while (0)

static void run(const char *s, int base)
{
    SAME(strtol, s, base);
    SAME(strtoul, s, base);
    SAME(strtoll, s, base);
    SAME(strtoull, s, base);
    SAME(strtoimax, s, base);
    SAME(strtoumax, s, base);
    long x = strtol(s, 0, 10);
    if (x == (int)x)
        CHECK(m_atoi(s) == atoi(s), "%s", s);
    errno = 0, strtol(s, 0, 10);
    if (errno == 0)
        CHECK(m_atol(s) == atol(s) && m_atoll(s) == atoll(s), "%s", s);
    if (!strpbrk(s, "bB")) {
        CHECK(m___isoc23_strtol(s, 0, base) == strtol(s, 0, base), "%s", s);
        CHECK(m___isoc23_strtoul(s, 0, base) == strtoul(s, 0, base), "%s", s);
        CHECK(m___isoc23_strtoll(s, 0, base) == strtoll(s, 0, base), "%s", s);
        CHECK(m___isoc23_strtoull(s, 0, base) == strtoull(s, 0, base), "%s", s);
    }
}

static const char *const cases[] = {
    "", " ", "-", "+", "0", "-0", "+0", "0x", "0X", "-0x", "0xg", "0x1", "0XfF", "x1", "08", "007", "-077", "+-1", "--1", "- 1",
    " \t\n\v\f\r12", "12 ", "12abc", "zz", "ZZ", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295",
    "4294967296", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "-1",
    "99999999999999999999999999x", "-99999999999999999999999999x", "0x7fffffffffffffff", "0x8000000000000000",
    "-0x8000000000000000", "0xffffffffffffffff", "0x10000000000000000", "01777777777777777777777", "02000000000000000000000",
    "1y2p0ij32e8e7", "1y2p0ij32e8e8", "3w5e11264sgsf", "3w5e11264sgsg", "0b1", "0b101",
};

int main(void)
{
    static const int bases[] = {0, 2, 3, 8, 10, 16, 35, 36};
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int base = 0; base <= 36; base++)
            if (base != 1)
                run(cases[i], base);
        CHECK(m_strtol(cases[i], 0, 1) == strtol(cases[i], 0, 1), "base 1");
        CHECK(m_strtol(cases[i], 0, 37) == strtol(cases[i], 0, 37), "base 37");
        CHECK(m_strtol(cases[i], 0, -1) == strtol(cases[i], 0, -1), "base -1");
    }
    for (int i = 0; i < 20000; i++) {
        char s[40];
        int n = 0, length = below(24);
        while (below(4) == 0 && n < 3)
            s[n++] = ' ';
        if (below(3) == 0)
            s[n++] = "+-"[below(2)];
        if (below(3) == 0)
            s[n++] = '0', s[n++] = "xX7"[below(3)];
        while (length-- > 0)
            s[n++] = below(30) ? "0123456789"[below(10)] : "aFgz-. "[below(7)];
        s[n] = 0;
        run(s, bases[below(8)]);
    }
    char *end;
    CHECK(m___isoc23_strtol("-0b101x", &end, 0) == -5 && *end == 'x', "binary");
    CHECK(m___isoc23_strtoul("0B11", &end, 2) == 3 && *end == 0, "binary");
    CHECK(m___isoc23_strtoll("0b2", &end, 0) == 0 && *end == 'b', "binary");
    CHECK(m___isoc23_strtoull("0b1", &end, 16) == 0xb1 && *end == 0, "binary");
    return finish();
}
