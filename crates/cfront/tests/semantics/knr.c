/* Functions in the old style, without prototypes: default promotions, parameters narrowed inside. */
#include <stdio.h>

int add();
int implicit_int_result();

int add(a, b)
    int a, b;
{
    return a + b;
}

static int narrow(c, s, f, d, p)
    char c;
    short s;
    float f;
    double d;
    const char *p;
{
    c += 1;
    printf("%d %d %g %g %s %zu %zu %zu\n", c, s, f, d, p, sizeof c, sizeof s, sizeof f);
    return c;
}

static unsigned char small(x)
    unsigned char x;
{
    x++;
    return x;
}

implicit_int(x)
{
    return x * 2;
}

static void each(a, n, f)
    int a[];
    int n;
    void (*f)();
{
    int i;
    for (i = 0; i < n; i++)
        (*f)(&a[i], i);
}

static void bump(p, by)
    int *p;
    int by;
{
    *p += by;
}

static long swap_args(b, a)
    long a;
    int b;
{
    return a * 100 + b;
}

struct pair { int x, y; };
static struct pair flip(p) struct pair p;
{
    int t = p.x;
    p.x = p.y;
    p.y = t;
    return p;
}

int main()
{
    printf("%d %d\n", add(2, 3), implicit_int(21));
    printf("%d\n", narrow('a', (short)-7, 1.5f, 2.5, "text"));
    printf("%d\n", narrow(127, -40000 + 65536, 0.1f, 0.1, ""));
    printf("%d %d\n", small(255), small(7));
    int a[3] = {10, 20, 30};
    each(a, 3, bump);
    printf("%d %d %d\n", a[0], a[1], a[2]);
    printf("%ld\n", swap_args(5, 7L));
    struct pair p = {1, 2};
    p = flip(p);
    int (*f)() = add;
    printf("%d %d %d\n", p.x, p.y, f(4, 5));
    return implicit_int_result(40);
}

int implicit_int_result(n)
    int n;
{
    return n + 1;
}
