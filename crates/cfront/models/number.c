/* Numbers in text (stdlib.h, inttypes.h): the integers, in every base. The locale is "C". */

int *__errno_location(void);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* 36 if the character is no digit in any base. */
static unsigned int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned int)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned int)(c - 'a') + 10;
    if (c >= 'A' && c <= 'Z')
        return (unsigned int)(c - 'A') + 10;
    return 36;
}

/* Parses [space] [sign] [prefix] digits. Values above `largest` (or `most`, after a minus) give that bound and ERANGE.
   `binary` says whether 0b is a prefix (C23). A prefix counts only when a digit follows. `negate` tells the caller to
   negate the result in its own type; never a bound, which is right as it is: ULONG_MAX, or LONG_MIN's bits. */
static unsigned long long parse(const char *text, char **end, int base, int binary, unsigned long long largest,
                                unsigned long long most, int *negate)
{
    const char *s = text;
    *negate = 0;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = 22; /* EINVAL */
        return 0;
    }
    while (is_space(*s))
        s++;
    if (*s == '-') {
        *negate = 1;
        s++;
    } else if (*s == '+') {
        s++;
    }
    if (*s == '0') {
        if ((base == 0 || base == 16) && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
            s = s + 2;
            base = 16;
        } else if (binary && (base == 0 || base == 2) && (s[1] == 'b' || s[1] == 'B') && digit_value(s[2]) < 2) {
            s = s + 2;
            base = 2;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;

    unsigned long long limit = *negate ? most : largest;
    unsigned long long cut = limit / (unsigned int)base;
    unsigned int cut_digit = (unsigned int)(limit % (unsigned int)base);
    unsigned long long value = 0;
    int any = 0;
    int outside = 0;
    for (;;) {
        unsigned int digit = digit_value(*s);
        if (digit >= (unsigned int)base)
            break;
        any = 1;
        if (value > cut || (value == cut && digit > cut_digit))
            outside = 1;
        else
            value = value * (unsigned int)base + digit;
        s++;
    }
    if (end != 0)
        *end = (char *)(any ? s : text);
    if (outside) {
        *negate = 0;
        *__errno_location() = 34; /* ERANGE */
        return limit;
    }
    return value;
}

long strtol(const char *text, char **end, int base)
{
    int negate;
    unsigned long largest = ~0ul >> 1;
    unsigned long value = (unsigned long)parse(text, end, base, 0, largest, largest + 1, &negate);
    return (long)(negate ? 0 - value : value);
}

unsigned long strtoul(const char *text, char **end, int base)
{
    int negate;
    unsigned long value = (unsigned long)parse(text, end, base, 0, ~0ul, ~0ul, &negate);
    return negate ? 0 - value : value;
}

long long strtoll(const char *text, char **end, int base)
{
    int negate;
    unsigned long long largest = ~0ull >> 1;
    unsigned long long value = parse(text, end, base, 0, largest, largest + 1, &negate);
    return (long long)(negate ? 0 - value : value);
}

unsigned long long strtoull(const char *text, char **end, int base)
{
    int negate;
    unsigned long long value = parse(text, end, base, 0, ~0ull, ~0ull, &negate);
    return negate ? 0 - value : value;
}

long long strtoimax(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtoumax(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

/* The names of old BSD. */
long long strtoq(const char *text, char **end, int base)
{
    return strtoll(text, end, base);
}

unsigned long long strtouq(const char *text, char **end, int base)
{
    return strtoull(text, end, base);
}

/* What the headers of glibc 2.38 and later call: C23, with 0b. */
long __isoc23_strtol(const char *text, char **end, int base)
{
    int negate;
    unsigned long largest = ~0ul >> 1;
    unsigned long value = (unsigned long)parse(text, end, base, 1, largest, largest + 1, &negate);
    return (long)(negate ? 0 - value : value);
}

unsigned long __isoc23_strtoul(const char *text, char **end, int base)
{
    int negate;
    unsigned long value = (unsigned long)parse(text, end, base, 1, ~0ul, ~0ul, &negate);
    return negate ? 0 - value : value;
}

long long __isoc23_strtoll(const char *text, char **end, int base)
{
    int negate;
    unsigned long long largest = ~0ull >> 1;
    unsigned long long value = parse(text, end, base, 1, largest, largest + 1, &negate);
    return (long long)(negate ? 0 - value : value);
}

unsigned long long __isoc23_strtoull(const char *text, char **end, int base)
{
    int negate;
    unsigned long long value = parse(text, end, base, 1, ~0ull, ~0ull, &negate);
    return negate ? 0 - value : value;
}

/* What the headers of old glibc call; `group` is always 0. */
long __strtol_internal(const char *text, char **end, int base, int group)
{
    (void)group;
    return strtol(text, end, base);
}

unsigned long __strtoul_internal(const char *text, char **end, int base, int group)
{
    (void)group;
    return strtoul(text, end, base);
}

long long __strtoll_internal(const char *text, char **end, int base, int group)
{
    (void)group;
    return strtoll(text, end, base);
}

unsigned long long __strtoull_internal(const char *text, char **end, int base, int group)
{
    (void)group;
    return strtoull(text, end, base);
}

/* The conversions without a check: the standard leaves numbers that do not fit undefined, so the digits are simply
   added up, without the bounds of strtol. */
int atoi(const char *text)
{
    int negative = 0;
    unsigned int value = 0;
    while (is_space(*text))
        text++;
    if (*text == '-') {
        negative = 1;
        text++;
    } else if (*text == '+') {
        text++;
    }
    while (*text >= '0' && *text <= '9') {
        value = value * 10 + (unsigned int)(*text - '0');
        text++;
    }
    return (int)(negative ? 0 - value : value);
}

long atol(const char *text)
{
    int negative = 0;
    unsigned long value = 0;
    while (is_space(*text))
        text++;
    if (*text == '-') {
        negative = 1;
        text++;
    } else if (*text == '+') {
        text++;
    }
    while (*text >= '0' && *text <= '9') {
        value = value * 10 + (unsigned long)(*text - '0');
        text++;
    }
    return (long)(negative ? 0 - value : value);
}

long long atoll(const char *text)
{
    int negative = 0;
    unsigned long long value = 0;
    while (is_space(*text))
        text++;
    if (*text == '-') {
        negative = 1;
        text++;
    } else if (*text == '+') {
        text++;
    }
    while (*text >= '0' && *text <= '9') {
        value = value * 10 + (unsigned long long)(*text - '0');
        text++;
    }
    return (long long)(negative ? 0 - value : value);
}
