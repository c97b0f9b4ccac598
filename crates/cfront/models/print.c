/* Formatted text in memory (stdio.h). Calls with a literal format are lowered piece by piece to the functions here whose names
   begin with __reprove_print (lower/print.rs); other formats are read while the program runs. Each puts its piece at `at` into a buffer of `room` bytes, of which the last is for
   the zero at the end, and gives back where the next piece goes, whether all of it fitted or not. The text of numbers with a
   fraction and of addresses is any text of a fitting length; all else is exact. The locale is "C". */

unsigned long __reprove_any_ulong(void);
int __reprove_any_bool(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
void *malloc(unsigned long size);
void __reprove_copy(void *to, const void *from, unsigned long n);
void __reprove_fill(void *to, int byte, unsigned long n);
void __reprove_apart(const void *a, unsigned long m, const void *b, unsigned long n);
unsigned long strlen(const char *s);
unsigned long strnlen(const char *s, unsigned long limit);

/* How many of n bytes at `at` fit. */
static unsigned long fitting(unsigned long room, unsigned long at, unsigned long n)
{
    if (room == 0 || at >= room - 1)
        return 0;
    unsigned long left = room - 1 - at;
    return n < left ? n : left;
}

unsigned long __reprove_print_text(char *to, unsigned long room, unsigned long at, const char *text, unsigned long n)
{
    unsigned long fit = fitting(room, at, n);
    if (fit > 0)
        __reprove_copy(to + at, text, fit);
    return at + n;
}

static unsigned long repeat(char *to, unsigned long room, unsigned long at, int byte, unsigned long n)
{
    unsigned long fit = fitting(room, at, n);
    if (fit > 0)
        __reprove_fill(to + at, byte, fit);
    return at + n;
}

/* Of flags: - is 1, + is 2, space is 4, a hash is 8, 0 is 16, upper case is 32. A precision below 0 is none. */
static unsigned long padding(int flags, int width, unsigned long n)
{
    (void)flags;
    return width > 0 && (unsigned long)width > n ? (unsigned long)width - n : 0;
}

unsigned long __reprove_print_string(char *to, unsigned long room, unsigned long at, const char *text, int flags,
                                     int width, int precision)
{
    unsigned long n = precision < 0 ? strlen(text) : strnlen(text, (unsigned long)precision);
    unsigned long pad = padding(flags, width, n);
    if (!(flags & 1))
        at = repeat(to, room, at, ' ', pad);
    if (room > 0)
        __reprove_apart(to, at + fitting(room, at, n), text, n);
    at = __reprove_print_text(to, room, at, text, n);
    if (flags & 1)
        at = repeat(to, room, at, ' ', pad);
    return at;
}

unsigned long __reprove_print_char(char *to, unsigned long room, unsigned long at, int byte, int flags, int width)
{
    unsigned long pad = padding(flags, width, 1);
    if (!(flags & 1))
        at = repeat(to, room, at, ' ', pad);
    at = repeat(to, room, at, byte, 1);
    if (flags & 1)
        at = repeat(to, room, at, ' ', pad);
    return at;
}

static char digit(unsigned int value, int flags)
{
    return (char)(value < 10 ? '0' + value : (flags & 32 ? 'A' : 'a') + (value - 10));
}

static void digits32(char *to, unsigned long room, unsigned long at, unsigned int value, unsigned int base, int flags,
                     unsigned long count)
{
    for (unsigned long i = count; i > 0; i--) {
        if (fitting(room, at + i - 1, 1) > 0)
            to[at + i - 1] = digit(value % base, flags);
        value = value / base;
    }
}

static void digits64(char *to, unsigned long room, unsigned long at, unsigned long long value, unsigned int base,
                     int flags, unsigned long count)
{
    for (unsigned long i = count; i > 0; i--) {
        if (fitting(room, at + i - 1, 1) > 0)
            to[at + i - 1] = digit((unsigned int)(value % base), flags);
        value = value / base;
    }
}

static unsigned long count_digits(unsigned long long value, unsigned int base, int wide)
{
    unsigned long n = 1;
    unsigned long long limit = base;
    unsigned long long largest = wide ? ~0ull : 0xffffffffull;
    while (value >= limit) {
        n++;
        if (limit > largest / base)
            break;
        limit = limit * base;
    }
    return n;
}

/* A number of 32 bits, or 64 if `wide`, by its magnitude. */
static unsigned long number(char *to, unsigned long room, unsigned long at, unsigned long long value, int wide,
                            int sign, unsigned int base, int flags, int width, int precision)
{
    unsigned long n = value == 0 && precision == 0 ? 0 : count_digits(value, base, wide);
    unsigned long zeros = precision > 0 && (unsigned long)precision > n ? (unsigned long)precision - n : 0;
    unsigned long front = sign != 0 ? 1 : 0;
    if (flags & 8) {
        if (base == 16 && value != 0)
            front = 2;
        if (base == 8 && zeros == 0 && (value != 0 || precision == 0))
            zeros = 1;
    }
    unsigned long pad = padding(flags, width, front + zeros + n);
    if ((flags & 16) && !(flags & 1) && precision < 0) {
        zeros = zeros + pad;
        pad = 0;
    }
    if (!(flags & 1))
        at = repeat(to, room, at, ' ', pad);
    if (sign != 0)
        at = repeat(to, room, at, sign, 1);
    else if (front == 2)
        at = __reprove_print_text(to, room, at, flags & 32 ? "0X" : "0x", 2);
    at = repeat(to, room, at, '0', zeros);
    if (room > 0) {
        if (wide)
            digits64(to, room, at, value, base, flags, n);
        else
            digits32(to, room, at, (unsigned int)value, base, flags, n);
    }
    at = at + n;
    if (flags & 1)
        at = repeat(to, room, at, ' ', pad);
    return at;
}

static int sign_of(int negative, int flags)
{
    return negative ? '-' : flags & 2 ? '+' : flags & 4 ? ' ' : 0;
}

unsigned long __reprove_print_int(char *to, unsigned long room, unsigned long at, int value, int flags, int width,
                                  int precision)
{
    unsigned int magnitude = value < 0 ? 0 - (unsigned int)value : (unsigned int)value;
    return number(to, room, at, magnitude, 0, sign_of(value < 0, flags), 10, flags, width, precision);
}

unsigned long __reprove_print_long(char *to, unsigned long room, unsigned long at, long long value, int flags,
                                   int width, int precision)
{
    unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    return number(to, room, at, magnitude, 1, sign_of(value < 0, flags), 10, flags, width, precision);
}

unsigned long __reprove_print_uint(char *to, unsigned long room, unsigned long at, unsigned int value, int base,
                                   int flags, int width, int precision)
{
    return number(to, room, at, value, 0, 0, (unsigned int)base, flags, width, precision);
}

unsigned long __reprove_print_ulong(char *to, unsigned long room, unsigned long at, unsigned long long value, int base,
                                    int flags, int width, int precision)
{
    return number(to, room, at, value, 1, 0, (unsigned int)base, flags, width, precision);
}

/* Some text. */
static unsigned long any_text(char *to, unsigned long room, unsigned long at, unsigned long least, unsigned long most)
{
    unsigned long n = __reprove_any_ulong();
    __reprove_assume(n >= least && n <= most);
    unsigned long fit = fitting(room, at, n);
    if (fit > 0) {
        __reprove_havoc(to + at, fit);
        __reprove_assume(to[at] != 0);
    }
    return at + n;
}

unsigned long __reprove_print_pointer(char *to, unsigned long room, unsigned long at, const void *value, int flags,
                                      int width)
{
    if (value == 0)
        return __reprove_print_string(to, room, at, "(nil)", flags, width, -1);
    unsigned long least = width > 3 ? (unsigned long)width : 3;
    unsigned long most = 2 + 2 * sizeof(void *);
    return any_text(to, room, at, least, least > most ? least : most);
}

/* `plain` is %f, which writes all digits before the point; the others have an exponent. */
unsigned long __reprove_print_double(char *to, unsigned long room, unsigned long at, double value, int plain, int flags,
                                     int width, int precision)
{
    unsigned long fraction = precision < 0 ? 6 : (unsigned long)precision;
    double magnitude = value < 0 ? -value : value;
    unsigned long before = 309;
    if (magnitude < 1e18) {
        before = 1;
        double limit = 10;
        while (before < 18 && magnitude >= limit) {
            before++;
            limit = limit * 10;
        }
        /* It may be rounded up to the next power of ten. */
        before++;
    }
    unsigned long sign = value < 0 || (flags & 6) ? 1 : 0;
    unsigned long most = plain ? 1 + before + 1 + fraction : 1 + 2 + 1 + (fraction > 17 ? fraction : 17) + 6;
    unsigned long least = plain && magnitude < 1e18 ? sign + before - 1 + (fraction > 0 ? fraction + 1 : 0) : 1;
    if (width > 0 && (unsigned long)width > least)
        least = (unsigned long)width;
    if (least > most)
        most = least;
    return any_text(to, room, at, least, most);
}

unsigned long __reprove_print_long_double(char *to, unsigned long room, unsigned long at, long double value, int plain,
                                          int flags, int width, int precision)
{
    unsigned long fraction = precision < 0 ? 6 : (unsigned long)precision;
    (void)value;
    (void)flags;
    unsigned long most = plain ? 4936 + fraction : 1 + 2 + 1 + (fraction > 21 ? fraction : 21) + 7;
    unsigned long least = width > 1 ? (unsigned long)width : 1;
    return any_text(to, room, at, least, least > most ? least : most);
}

/* The zero at the end. What is longer than an int can say is an error. */
int __reprove_print_end(char *to, unsigned long room, unsigned long at)
{
    if (room > 0)
        to[at < room ? at : room - 1] = 0;
    return at > 0x7fffffff ? -1 : (int)at;
}

/* The block for a text of n bytes and a zero. */
char *__reprove_print_block(char **to, unsigned long n)
{
    *to = malloc(n + 1);
    return *to;
}

/* Flags in front of a conversion; 35 is a hash. */
static int flag_of(char c)
{
    return c == '-' ? 1 : c == '+' ? 2 : c == ' ' ? 4 : c == 35 ? 8 : c == '0' ? 16 : 0;
}

/* Of lengths: hh is -2, h is -1, l is 1, ll and j are 2, L is 3. z and t are as wide as long. */
static int length_of(const char *format)
{
    switch (*format) {
    case 'h':
        return format[1] == 'h' ? -2 : -1;
    case 'l':
        return format[1] == 'l' ? 2 : 1;
    case 'q':
    case 'j':
        return 2;
    case 'z':
    case 't':
        return 1;
    case 'L':
        return 3;
    default:
        return 0;
    }
}

static int is_wide(int length)
{
    return length >= 2 || (length == 1 && sizeof(long) > sizeof(int));
}

/* A format that is read while the program runs. */
static unsigned long formatted(char *to, unsigned long room, const char *format, __builtin_va_list list)
{
    unsigned long at = 0;
    for (;;) {
        unsigned long n = 0;
        while (format[n] != 0 && format[n] != '%')
            n++;
        if (n > 0)
            at = __reprove_print_text(to, room, at, format, n);
        format += n;
        if (*format == 0)
            return at;
        format++;
        int flags = 0, width = 0, precision = -1;
        while (flag_of(*format)) {
            flags |= flag_of(*format);
            format++;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            format++;
            if (width < 0) {
                flags |= 1;
                width = -width;
            }
        }
        while (*format >= '0' && *format <= '9') {
            width = width * 10 + (*format - '0');
            format++;
        }
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            }
            while (*format >= '0' && *format <= '9') {
                precision = precision * 10 + (*format - '0');
                format++;
            }
        }
        int length = length_of(format);
        while (*format == 'h' || *format == 'l' || *format == 'j' || *format == 'q' || *format == 'z' ||
               *format == 't' || *format == 'L')
            format++;
        char kind = *format;
        if (kind != 0)
            format++;
        switch (kind) {
        case '%':
            at = repeat(to, room, at, '%', 1);
            break;
        case 'd':
        case 'i':
            if (is_wide(length)) {
                at = __reprove_print_long(to, room, at, __builtin_va_arg(list, long long), flags, width, precision);
            } else {
                int value = __builtin_va_arg(list, int);
                value = length == -2 ? (signed char)value : length == -1 ? (short)value : value;
                at = __reprove_print_int(to, room, at, value, flags, width, precision);
            }
            break;
        case 'X':
        case 'x':
        case 'o':
        case 'u': {
            int base = kind == 'u' ? 10 : kind == 'o' ? 8 : 16;
            if (kind == 'X')
                flags |= 32;
            if (is_wide(length)) {
                unsigned long long value = __builtin_va_arg(list, unsigned long long);
                at = __reprove_print_ulong(to, room, at, value, base, flags, width, precision);
            } else {
                unsigned int value = __builtin_va_arg(list, unsigned int);
                value = length == -2 ? (unsigned char)value : length == -1 ? (unsigned short)value : value;
                at = __reprove_print_uint(to, room, at, value, base, flags, width, precision);
            }
            break;
        }
        case 'c':
            at = __reprove_print_char(to, room, at, __builtin_va_arg(list, int), flags, width);
            break;
        case 's':
            at = __reprove_print_string(to, room, at, __builtin_va_arg(list, const char *), flags, width, precision);
            break;
        case 'p':
            at = __reprove_print_pointer(to, room, at, __builtin_va_arg(list, void *), flags, width);
            break;
        case 'n':
            if (is_wide(length))
                *__builtin_va_arg(list, long long *) = (long long)at;
            else if (length == -2)
                *__builtin_va_arg(list, signed char *) = (signed char)at;
            else if (length == -1)
                *__builtin_va_arg(list, short *) = (short)at;
            else
                *__builtin_va_arg(list, int *) = (int)at;
            break;
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A': {
            int plain = kind == 'f' || kind == 'F';
            if (length == 3) {
                long double value = __builtin_va_arg(list, long double);
                at = __reprove_print_long_double(to, room, at, value, plain, flags, width, precision);
            } else {
                double value = __builtin_va_arg(list, double);
                at = __reprove_print_double(to, room, at, value, plain, flags, width, precision);
            }
            break;
        }
        default:
            /* It is not known what this asks for: any text. */
            return __reprove_any_bool() ? any_text(to, room, at, 1, 0x7fffffff) : at;
        }
    }
}

static int in_buffer(char *to, unsigned long room, const char *format, __builtin_va_list list)
{
    unsigned long at = formatted(to, room, format, list);
    return __reprove_print_end(to, room, at);
}

static int in_block(char **to, const char *format, __builtin_va_list list)
{
    __builtin_va_list again;
    __builtin_va_copy(again, list);
    unsigned long n = formatted(0, 0, format, list);
    char *block = __reprove_print_block(to, n);
    if (block == 0)
        return -1;
    formatted(block, n + 1, format, again);
    __builtin_va_end(again);
    return __reprove_print_end(block, n + 1, n);
}

int sprintf(char *to, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_buffer(to, ~0ul, format, list);
    __builtin_va_end(list);
    return n;
}

int snprintf(char *to, unsigned long size, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_buffer(to, size, format, list);
    __builtin_va_end(list);
    return n;
}

int __sprintf_chk(char *to, int checks, unsigned long room, const char *format, ...)
{
    (void)checks;
    (void)room;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_buffer(to, ~0ul, format, list);
    __builtin_va_end(list);
    return n;
}

int __snprintf_chk(char *to, unsigned long size, int checks, unsigned long room, const char *format, ...)
{
    (void)checks;
    (void)room;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_buffer(to, size, format, list);
    __builtin_va_end(list);
    return n;
}

int asprintf(char **to, const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_block(to, format, list);
    __builtin_va_end(list);
    return n;
}

int __asprintf_chk(char **to, int checks, const char *format, ...)
{
    (void)checks;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int n = in_block(to, format, list);
    __builtin_va_end(list);
    return n;
}

int vsprintf(char *to, const char *format, __builtin_va_list list)
{
    return in_buffer(to, ~0ul, format, list);
}

int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list list)
{
    return in_buffer(to, size, format, list);
}

int __vsprintf_chk(char *to, int checks, unsigned long room, const char *format, __builtin_va_list list)
{
    (void)checks;
    (void)room;
    return in_buffer(to, ~0ul, format, list);
}

int __vsnprintf_chk(char *to, unsigned long size, int checks, unsigned long room, const char *format,
                    __builtin_va_list list)
{
    (void)checks;
    (void)room;
    return in_buffer(to, size, format, list);
}

int vasprintf(char **to, const char *format, __builtin_va_list list)
{
    return in_block(to, format, list);
}

int __vasprintf_chk(char **to, int checks, const char *format, __builtin_va_list list)
{
    (void)checks;
    return in_block(to, format, list);
}
