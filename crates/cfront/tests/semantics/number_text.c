/* Text to numbers and characters: strtol and relatives, atoi, ctype, errno. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static void parse(const char *s, int base)
{
    char *end;
    errno = 0;
    long x = strtol(s, &end, base);
    printf("%ld %d %d, ", x, (int)(end - s), errno == ERANGE);
    errno = 0;
    unsigned long u = strtoul(s, &end, base);
    printf("%lu %d %d\n", u, (int)(end - s), errno == ERANGE);
}

static int evaluate(const char **s);
static int primary(const char **s)
{
    while (isspace((unsigned char)**s))
        ++*s;
    if (**s == '(') {
        ++*s;
        int x = evaluate(s);
        ++*s;
        return x;
    }
    char *end;
    int x = (int)strtol(*s, &end, 10);
    *s = end;
    return x;
}
static int product(const char **s)
{
    int x = primary(s);
    while (**s == '*' || **s == '/')
        if (*(*s)++ == '*')
            x *= primary(s);
        else
            x /= primary(s);
    return x;
}
static int evaluate(const char **s)
{
    int x = product(s);
    while (**s == '+' || **s == '-')
        if (*(*s)++ == '+')
            x += product(s);
        else
            x -= product(s);
    return x;
}

int main(void)
{
    parse("123", 10), parse("  -42abc", 10), parse("0x1fz", 0), parse("0x", 16), parse("077", 0), parse("zz", 36);
    parse("9223372036854775808", 10), parse("-9223372036854775809", 10), parse("99999999999999999999", 10), parse("", 10), parse("+7", 10);
    printf("%d %d %ld %lld\n", atoi("12x"), atoi("-7"), atol("  99"), atoll("123456789012"));
    int counts[6] = {0};
    for (int c = 0; c < 128; c++) {
        counts[0] += !!isalpha(c);
        counts[1] += !!isdigit(c);
        counts[2] += !!isspace(c);
        counts[3] += !!ispunct(c);
        counts[4] += !!isxdigit(c);
        counts[5] += isupper(c) ? tolower(c) : toupper(c);
    }
    for (int i = 0; i < 6; i++)
        printf("%d ", counts[i]);
    char text[] = "Hello, World 42!";
    for (char *p = text; *p; p++)
        *p = isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p);
    printf("%s\n", text);
    const char *e = "2*(3+4)-10/3*2";
    printf("%d\n", evaluate(&e));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    printf("%d %d %ld %ld %d %ld\n", d.quot, d.rem, l.quot, l.rem, abs(-3), labs(-4));
    const char *f = "1+2+3+(4*5)";
    return evaluate(&f);
}
