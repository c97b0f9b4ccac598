/* Formatted input (stdio.h): every conversion may succeed with any value of its type, or be where the input ends. Calls with a
   literal format are lowered conversion by conversion (lower/scan.rs); what is here reads the format as it runs, for all
   others. Of the text that `sscanf` reads only its length is looked at. */

int __reprove_any_int(void);
int __reprove_any_bool(void);
long __reprove_any_long(void);
long long __reprove_any_long_long(void);
short __reprove_any_short(void);
signed char __reprove_any_schar(void);
float __reprove_any_float(void);
double __reprove_any_double(void);
void *__reprove_any_pointer(void);
unsigned long __reprove_any_ulong(void);
void __reprove_assume(int condition);
void __reprove_havoc(void *block, unsigned long n);
void *malloc(unsigned long size);
int *__errno_location(void);
unsigned long strlen(const char *s);

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The end of the input may be an error. */

void __reprove_scan_failed(void)
{
    if (__reprove_any_bool()) {
        int number = __reprove_any_int();
        __reprove_assume(number > 0 && number < 4096);
        *__errno_location() = number;
    }
}

/* Without a loop, which all who read words would have to see through. */
static void no_space(const char *to, unsigned long at, unsigned long n)
{
    if (at < n)
        __reprove_assume(!is_space(to[at]));
}

/* At least one character, at most `width`, and a zero; in a `word` none of the first is space. Behind them some may be, which
   is more than can happen. */
void __reprove_scan_string(char *to, unsigned long width, int word)
{
    unsigned long n = __reprove_any_ulong();
    __reprove_assume(n > 0 && n <= width);
    __reprove_havoc(to, n);
    if (word)
        __reprove_assume(to[0] != 0 && !is_space(to[0]));
    if (word) {
        no_space(to, 1, n);
        no_space(to, 2, n);
        no_space(to, 3, n);
        no_space(to, 4, n);
        no_space(to, 5, n);
        no_space(to, 6, n);
        no_space(to, 7, n);
    }
    to[n] = 0;
}

/* No string that is read from a text is longer. */
unsigned long __reprove_scan_limit(const char *text, unsigned long most)
{
    unsigned long n = strlen(text);
    return n < most ? n : most;
}

/* Characters of four bytes. */
void __reprove_scan_wide(int *to, unsigned long width)
{
    unsigned long n = __reprove_any_ulong();
    __reprove_assume(n > 0 && n <= width);
    __reprove_havoc(to, 4 * n);
    to[n] = 0;
}

/* A string in a block of its own. */
void __reprove_scan_new(char **to, unsigned long width)
{
    unsigned long n = __reprove_any_ulong();
    __reprove_assume(n > 0 && n <= width);
    char *block = malloc(n + 1);
    __reprove_assume(block != 0);
    block[n] = 0;
    *to = block;
}

/* How many characters were read so far. */
int __reprove_scan_count(void)
{
    int count = __reprove_any_int();
    __reprove_assume(count >= 0);
    return count;
}

/* The input ended here: EOF if nothing was converted before. */
static int ended(int done)
{
    if (done > 0 || __reprove_any_bool())
        return done;
    __reprove_scan_failed();
    return -1;
}

/* size: -2 hh, -1 h, 0 none, 1 l, 2 ll and its kind. */
static void integer(void *to, int size)
{
    if (size == -2)
        *(signed char *)to = __reprove_any_schar();
    else if (size == -1)
        *(short *)to = __reprove_any_short();
    else if (size == 0)
        *(int *)to = __reprove_any_int();
    else if (size == 1)
        *(long *)to = __reprove_any_long();
    else
        *(long long *)to = __reprove_any_long_long();
}

static void count(void *to, int size)
{
    int n = __reprove_scan_count();
    if (size == -2)
        *(signed char *)to = (signed char)n;
    else if (size == -1)
        *(short *)to = (short)n;
    else if (size == 0)
        *(int *)to = n;
    else if (size == 1)
        *(long *)to = n;
    else
        *(long long *)to = n;
}

static void real(void *to, int size)
{
    if (size == 0)
        *(float *)to = __reprove_any_float();
    else if (size == 1)
        *(double *)to = __reprove_any_double();
    else
        __reprove_havoc(to, sizeof(long double));
}

static void characters(void *to, char kind, int size, unsigned long width, int limited, int allocate)
{
    unsigned long most = limited ? width : ~0ul >> 4;
    if (allocate)
        __reprove_scan_new(to, limited || kind != 'c' ? most : 1);
    else if (kind == 'c')
        __reprove_havoc(to, (limited ? width : 1) * (size == 1 ? 4 : 1));
    else if (size == 1)
        __reprove_scan_wide(to, most);
    else
        __reprove_scan_string(to, most, kind == 's');
}

static int scan(const char *format, __builtin_va_list list)
{
    int done = 0;
    for (;;) {
        char c = *format;
        if (c == 0)
            return done;
        format++;
        if (c != '%') {
            if (!is_space(c) && __reprove_any_bool())
                return ended(done);
            continue;
        }
        int skip = 0;
        int limited = 0;
        int allocate = 0;
        int size = 0;
        unsigned long width = 0;
        if (*format == '*') {
            skip = 1;
            format++;
        }
        while (*format >= '0' && *format <= '9') {
            limited = 1;
            width = width * 10 + (unsigned int)(*format - '0');
            format++;
        }
        if (*format == 'm') {
            allocate = 1;
            format++;
        }
        while (*format == 'h') {
            size--;
            format++;
        }
        while (*format == 'l') {
            size++;
            format++;
        }
        if (*format == 'L' || *format == 'j' || *format == 'q') {
            size = 2;
            format++;
        } else if (*format == 'z' || *format == 't') {
            size = 1;
            format++;
        }
        char kind = *format;
        if (kind == 0)
            return done;
        format++;
        if (kind == '[') {
            if (*format == '^')
                format++;
            if (*format == ']')
                format++;
            while (*format != 0 && *format != ']')
                format++;
            if (*format == ']')
                format++;
        }
        if (kind == 'n') {
            if (!skip)
                count(__builtin_va_arg(list, void *), size);
            continue;
        }
        if (__reprove_any_bool())
            return ended(done);
        if (kind == '%' || skip)
            continue;
        void *to = __builtin_va_arg(list, void *);
        if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'o' || kind == 'x' || kind == 'X')
            integer(to, size);
        else if (kind == 'p')
            *(void **)to = __reprove_any_pointer();
        else if (kind == 'c' || kind == 's' || kind == '[')
            characters(to, kind, size, width, limited, allocate);
        else if (kind == 'C' || kind == 'S')
            characters(to, kind == 'C' ? 'c' : 's', 1, width, limited, allocate);
        else
            real(to, size);
        done++;
    }
}

int scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int fscanf(void *stream, const char *format, ...)
{
    (void)stream;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int sscanf(const char *text, const char *format, ...)
{
    (void)text;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int vscanf(const char *format, __builtin_va_list list)
{
    return scan(format, list);
}

int vfscanf(void *stream, const char *format, __builtin_va_list list)
{
    (void)stream;
    return scan(format, list);
}

int vsscanf(const char *text, const char *format, __builtin_va_list list)
{
    (void)text;
    return scan(format, list);
}

int __isoc99_scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_fscanf(void *stream, const char *format, ...)
{
    (void)stream;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_sscanf(const char *text, const char *format, ...)
{
    (void)text;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc99_vscanf(const char *format, __builtin_va_list list)
{
    return scan(format, list);
}

int __isoc99_vfscanf(void *stream, const char *format, __builtin_va_list list)
{
    (void)stream;
    return scan(format, list);
}

int __isoc99_vsscanf(const char *text, const char *format, __builtin_va_list list)
{
    (void)text;
    return scan(format, list);
}

int __isoc23_scanf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc23_fscanf(void *stream, const char *format, ...)
{
    (void)stream;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc23_sscanf(const char *text, const char *format, ...)
{
    (void)text;
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int done = scan(format, list);
    __builtin_va_end(list);
    return done;
}

int __isoc23_vscanf(const char *format, __builtin_va_list list)
{
    return scan(format, list);
}

int __isoc23_vfscanf(void *stream, const char *format, __builtin_va_list list)
{
    (void)stream;
    return scan(format, list);
}

int __isoc23_vsscanf(const char *text, const char *format, __builtin_va_list list)
{
    (void)text;
    return scan(format, list);
}
