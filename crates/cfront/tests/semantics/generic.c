/* _Generic: selection by type after lvalue conversion; the other branches and the operand are not evaluated. */
#include <stdio.h>

#define NAME(x) _Generic((x), _Bool: "bool", char: "char", signed char: "signed char", unsigned char: "unsigned char", \
    short: "short", int: "int", unsigned: "unsigned", long: "long", unsigned long long: "ullong", float: "float",       \
    double: "double", char *: "char *", const char *: "const char *", int *: "int *", void *: "void *",                 \
    int (*)(int): "function", struct point: "point", default: "other")
#define ABS(x) _Generic((x), int: abs_int, long: abs_long, default: abs_double)(x)

struct point { int x, y; };
static int abs_int(int x) { return x < 0 ? -x : x; }
static long abs_long(long x) { return x < 0 ? -x : x; }
static double abs_double(double x) { return x < 0 ? -x : x; }
static int twice(int x) { return 2 * x; }

int main(void)
{
    char c = 'c';
    const int ci = 3;
    int a[3] = {1, 2, 3};
    struct point p = {1, 2};
    const char *s = "s";
    _Bool b = 1;
    printf("%s, %s, %s, %s\n", NAME(c), NAME(+c), NAME(ci), NAME(b));
    printf("%s, %s, %s, %s\n", NAME(a), NAME(&a[1]), NAME("lit"), NAME(s));
    printf("%s, %s, %s, %s\n", NAME(p), NAME(twice), NAME((void *)0), NAME(&p));
    printf("%s, %s, %s, %s\n", NAME(1.0f), NAME(1.0), NAME(1.0L), NAME(1ull));
    printf("%s, %s, %s\n", NAME((short)1), NAME((unsigned char)1 + 0u), NAME(b ? 1 : 2L));
    printf("%d %ld %g\n", ABS(-3), ABS(-4L), ABS(-2.5f));
    int n = 0;
    int r = _Generic(n++, int: 5, default: n += 100);
    printf("%d %d\n", n, r);
    _Generic(1, int: a, default: s)[1] = 20;
    int *q = &_Generic(0, int: n, default: r);
    *q = 9;
    printf("%d %d %d\n", a[1], n, _Generic(p.x, int: p, default: a).y);
    return _Generic('a', char: 1, int: 2) + _Generic(sizeof 0, unsigned long: 40, default: 50);
}
