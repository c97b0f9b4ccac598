/* What functions that print read: a text up to its end, or up to so many characters; and all that a format asks for, where
   it is known only while the program runs. Lowering calls these where memory is checked. */

void __reprove_read_text(const char *text, unsigned long most)
{
    unsigned long i = 0;
    while (i < most && text[i] != 0)
        i++;
}

/* Of flags, 35 is a hash and 39 an apostrophe. */
static int is_flag(char c)
{
    return c == '-' || c == '+' || c == ' ' || c == 35 || c == '0' || c == 39;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Are all arguments there that the format asks for, with what they lead to? */
void __reprove_read_list(const char *format, __builtin_va_list given)
{
    __builtin_va_list list;
    __builtin_va_copy(list, given);
    while (*format != 0) {
        if (*format++ != '%')
            continue;
        while (is_flag(*format))
            format++;
        if (*format == '*') {
            (void)__builtin_va_arg(list, int);
            format++;
        }
        while (is_digit(*format))
            format++;
        unsigned long most = ~0ul;
        if (*format == '.') {
            format++;
            most = 0;
            if (*format == '*') {
                int asked = __builtin_va_arg(list, int);
                most = asked < 0 ? ~0ul : (unsigned long)asked;
                format++;
            }
            while (is_digit(*format))
                most = most * 10 + (unsigned long)(*format++ - '0');
        }
        int longs = 0, shorts = 0;
        while (*format == 'h' || *format == 'l' || *format == 'j' || *format == 'q' || *format == 'z' ||
               *format == 't' || *format == 'L') {
            shorts += *format == 'h';
            longs += *format == 'l' || *format == 'z' || *format == 't' ? 1 : *format == 'h' ? 0 : 2;
            format++;
        }
        char kind = *format;
        if (kind == 0)
            break;
        format++;
        int wide = longs >= 2 || (longs == 1 && sizeof(long) > sizeof(int));
        switch (kind) {
        case 'd':
        case 'i':
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            if (wide)
                (void)__builtin_va_arg(list, long long);
            else
                (void)__builtin_va_arg(list, int);
            break;
        case 'c':
            (void)__builtin_va_arg(list, int);
            break;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            if (longs >= 2)
                (void)__builtin_va_arg(list, long double);
            else
                (void)__builtin_va_arg(list, double);
            break;
        case 's': {
            const char *text = __builtin_va_arg(list, const char *);
            if (longs == 0)
                __reprove_read_text(text, most);
            break;
        }
        case 'p':
            (void)__builtin_va_arg(list, void *);
            break;
        case 'n': {
            /* The call itself says what is written. */
            char *count = __builtin_va_arg(list, char *);
            unsigned long last = (wide ? 8 : shorts >= 2 ? 1 : shorts == 1 ? 2 : sizeof(int)) - 1;
            count[0] = count[0];
            count[last] = count[last];
            break;
        }
        default:
            break;
        }
    }
    __builtin_va_end(list);
}

void __reprove_read_arguments(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    __reprove_read_list(format, list);
    __builtin_va_end(list);
}
