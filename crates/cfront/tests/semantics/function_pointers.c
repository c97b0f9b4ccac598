/* Calls through pointers: tables, callbacks, pointers in structs, returned pointers, comparison, null tests. */
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int (*operation)(int, int);

static const struct {
    char symbol;
    operation run;
} table[] = {{'+', add}, {'-', &sub}, {'*', mul}};

static operation find(char symbol)
{
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].symbol == symbol)
            return table[i].run;
    return NULL;
}

static int fold(operation f, int start, const int *a, int n)
{
    return n == 0 ? start : fold(f, f(start, *a), a + 1, n - 1);
}

static void each(int *a, int n, void (*f)(int *, void *), void *context)
{
    for (int i = 0; i < n; i++)
        (*f)(&a[i], context);
}

static void scale(int *x, void *context) { *x *= *(int *)context; }
static void count(int *x, void *context) { *(int *)context += *x > 10; }

static int (*choose(int positive))(int, int)
{
    return positive ? add : sub;
}

struct shape {
    double (*area)(const struct shape *);
    double w, h;
};

static double rectangle(const struct shape *s) { return s->w * s->h; }
static double triangle(const struct shape *s) { return s->w * s->h / 2; }
static struct shape make(double (*f)(const struct shape *), double w) { return (struct shape){f, w, w + 1}; }

struct machine;
typedef struct machine *(*state)(struct machine *, int);
struct machine {
    state now;
    int seen;
};
static struct machine *odd(struct machine *, int);
static struct machine *even(struct machine *m, int x)
{
    m->seen += x;
    m->now = odd;
    return m;
}
static struct machine *odd(struct machine *m, int x)
{
    m->seen -= x;
    m->now = even;
    return m;
}

int main(void)
{
    int a[] = {1, 2, 3, 4, 5};
    printf("%d %d %d\n", fold(find('+'), 0, a, 5), fold(find('-'), 0, a, 5), fold(find('*'), 1, a, 5));
    printf("%d %d %d\n", find('/') == 0, find('+') == add, find('-') != sub);
    int factor = 3, above = 0;
    each(a, 5, scale, &factor);
    each(a, 5, count, &above);
    printf("%d %d\n", a[4], above);
    printf("%d %d\n", choose(1)(7, 3), choose(0)(7, 3));
    struct shape shapes[] = {make(rectangle, 3), make(triangle, 4)};
    for (int i = 0; i < 2; i++)
        printf("%g ", shapes[i].area(&shapes[i]));
    printf("\n");
    struct machine m = {even, 0};
    for (int i = 1; i < 8; i++)
        m.now(&m, i);
    printf("%d %d\n", m.seen, m.now(&m, 0)->now == even);
    operation local[2][2] = {{add, sub}, {mul, add}}, *p = local[1];
    printf("%d %d %d\n", local[0][1](5, 6), p[0](5, 6), (*p[1])(5, 6));
    printf("%d\n", (********add)(1, 2));
    int (*(*nested)(int))(int, int) = choose;
    void *opaque = (void *)mul;
    return ((operation)opaque)(6, nested(1)(3, 4));
}
