/* Variable arguments of all types, va_copy, forwarding, many arguments, structs. */
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };
struct big { long v[6]; };
struct mixed { double d; int i; };

static int sum(int n, ...)
{
    va_list ap;
    int s = 0;
    va_start(ap, n);
    while (n-- > 0)
        s += va_arg(ap, int);
    va_end(ap);
    return s;
}

static void show(const char *types, ...)
{
    va_list ap;
    va_start(ap, types);
    for (; *types; types++) {
        switch (*types) {
        case 'c': printf("%c ", va_arg(ap, int)); break;
        case 'i': printf("%d ", va_arg(ap, int)); break;
        case 'u': printf("%u ", va_arg(ap, unsigned)); break;
        case 'l': printf("%ld ", va_arg(ap, long)); break;
        case 'q': printf("%llu ", va_arg(ap, unsigned long long)); break;
        case 'd': printf("%g ", va_arg(ap, double)); break;
        case 'D': printf("%g ", (double)va_arg(ap, long double)); break;
        case 's': printf("%s ", va_arg(ap, const char *)); break;
        case 'p': printf("%d ", *va_arg(ap, int *)); break;
        case 'f': printf("%d ", va_arg(ap, int (*)(int))(5)); break;
        case 'P': {
            struct pair p = va_arg(ap, struct pair);
            printf("(%d,%d) ", p.a, p.b);
            break;
        }
        case 'B': printf("%ld ", va_arg(ap, struct big).v[5]); break;
        case 'M': {
            struct mixed m = va_arg(ap, struct mixed);
            printf("(%g,%d) ", m.d, m.i);
            break;
        }
        }
    }
    va_end(ap);
    printf("\n");
}

static int twice(int x) { return 2 * x; }

static int vsum(int n, va_list ap)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    return s;
}

static int both(int n, ...)
{
    va_list ap, saved;
    va_start(ap, n);
    va_copy(saved, ap);
    int first = vsum(n, ap);
    int second = vsum(n, saved);
    va_end(ap);
    va_end(saved);
    va_start(ap, n);
    int third = va_arg(ap, int);
    va_end(ap);
    return first * 1000 + second * 10 + third;
}

static int through_pointer(va_list *ap)
{
    return va_arg(*ap, int);
}

static int alternate(double x, ...)
{
    va_list ap;
    va_start(ap, x);
    int a = through_pointer(&ap), b = through_pointer(&ap);
    double d = va_arg(ap, double);
    va_end(ap);
    return a * 10 + b + (int)d;
}

int main(void)
{
    signed char c = -5;
    unsigned short us = 65535;
    float f = 0.5f;
    int x = 99;
    struct big big = {{1, 2, 3, 4, 5, 6}};
    printf("%d %d\n", sum(0), sum(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
    show("ciulqds", 'x', -1, 4000000000u, -500000000L, 18446744073709551615ull, 2.5, "text");
    show("iidi", c, us, f, 1 == 1);
    show("DpfiD", 1.25L, &x, twice, 3, -2.5L);
    show("PiBiMd", (struct pair){3, 4}, 5, big, 6, (struct mixed){7.5, 8}, 9.5);
    show("dddddddddddi", 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12);
    show("ididididididididid", 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5);
    printf("%d\n", both(3, 1, 2, 3));
    int (*p)(int, ...) = sum;
    printf("%d %d\n", p(3, 10, 20, 30), alternate(0.0, 4, 5, 6.75));
    return sum(2, 40, 2);
}
