/* Numbers with a fraction in text (stdlib.h). How far a number reaches is exact, as the C locale has it. Its value is exact
   while digits and power of ten are small enough that one division or product rounds right; otherwise it is any value. */

double __reprove_any_double(void);
float __reprove_any_float(void);
long double __reprove_any_long_double(void);
void __reprove_assume(int condition);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How many letters of `word` (in lower case) the text starts with, in any case. */
static unsigned long same(const char *text, const char *word)
{
    unsigned long n = 0;
    while (word[n] != 0 && lower(text[n]) == word[n])
        n++;
    return n;
}

/* What was read: a sign, up to 15 digits and a power of ten, unless the value is not `exact`. */
struct number {
    const char *end;
    int negative;
    int exact;
    unsigned long long digits;
    int power;
};

static const char *exponent(const char *s, char letter, struct number *to)
{
    if (lower(*s) != letter)
        return s;
    const char *t = s + 1;
    int minus = *t == '-';
    if (*t == '-' || *t == '+')
        t++;
    if (!is_digit(*t))
        return s;
    int value = 0;
    while (is_digit(*t)) {
        if (value < 1000)
            value = value * 10 + (*t - '0');
        t++;
    }
    to->power += minus ? -value : value;
    return t;
}

static const char *hexadecimal(const char *s, struct number *to)
{
    int any = 0;
    const char *t = s + 2;
    to->exact = 0;
    while (is_hex(*t)) {
        t++;
        any = 1;
    }
    if (*t == '.') {
        t++;
        while (is_hex(*t)) {
            t++;
            any = 1;
        }
    }
    /* Just the zero before the x. */
    if (!any) {
        to->exact = 1;
        return s + 1;
    }
    return exponent(t, 'p', to);
}

static const char *decimal(const char *s, struct number *to)
{
    int any = 0;
    int point = 0;
    for (;;) {
        if (is_digit(*s)) {
            any = 1;
            if (to->digits >= 100000000000000ull)
                to->exact = 0;
            else
                to->digits = to->digits * 10 + (unsigned int)(*s - '0');
            if (point)
                to->power--;
        } else if (*s == '.' && !point) {
            point = 1;
        } else {
            break;
        }
        s++;
    }
    return any ? exponent(s, 'e', to) : 0;
}

/* Where the number ends; the text itself if there is none. */
static void scan(const char *text, struct number *to)
{
    const char *s = text;
    to->end = text;
    to->negative = 0;
    to->exact = 1;
    to->digits = 0;
    to->power = 0;
    while (is_space(*s))
        s++;
    if (*s == '-' || *s == '+') {
        to->negative = *s == '-';
        s++;
    }
    if (same(s, "infinity") >= 3) {
        to->exact = 0;
        to->end = s + (same(s, "infinity") == 8 ? 8 : 3);
    } else if (same(s, "nan") == 3) {
        to->exact = 0;
        to->end = s + 3;
        if (*to->end == '(') {
            const char *t = to->end + 1;
            while (is_digit(*t) || (lower(*t) >= 'a' && lower(*t) <= 'z') || *t == '_')
                t++;
            if (*t == ')')
                to->end = t + 1;
        }
    } else {
        int hex = s[0] == '0' && lower(s[1]) == 'x';
        const char *end = hex ? hexadecimal(s, to) : decimal(s, to);
        if (end == 0)
            to->negative = 0;
        else
            to->end = end;
    }
}

double strtod(const char *text, char **end)
{
    struct number n;
    scan(text, &n);
    if (end != 0)
        *end = (char *)n.end;
    if (!n.exact || n.power > 22 || n.power < -22)
        return __reprove_any_double();
    double scale = 1;
    for (int i = n.power < 0 ? -n.power : n.power; i > 0; i--)
        scale = scale * 10;
    double value = n.power < 0 ? (double)n.digits / scale : (double)n.digits * scale;
    return n.negative ? -value : value;
}

float strtof(const char *text, char **end)
{
    struct number n;
    scan(text, &n);
    if (end != 0)
        *end = (char *)n.end;
    if (!n.exact || n.digits > 16777216 || n.power > 10 || n.power < -10)
        return __reprove_any_float();
    float scale = 1;
    for (int i = n.power < 0 ? -n.power : n.power; i > 0; i--)
        scale = scale * 10;
    float value = n.power < 0 ? (float)n.digits / scale : (float)n.digits * scale;
    return n.negative ? -value : value;
}

long double strtold(const char *text, char **end)
{
    struct number n;
    scan(text, &n);
    if (end != 0)
        *end = (char *)n.end;
    if (!n.exact || n.power > 22 || n.power < -22)
        return __reprove_any_long_double();
    long double scale = 1;
    for (int i = n.power < 0 ? -n.power : n.power; i > 0; i--)
        scale = scale * 10;
    long double value = n.power < 0 ? (long double)n.digits / scale : (long double)n.digits * scale;
    return n.negative ? -value : value;
}

double atof(const char *text)
{
    return strtod(text, 0);
}
