/* ?: and GNU ?: with one operand omitted: types, values, pointers, structs, void, nesting. */
#include <stdio.h>

struct s { int a, b; };
static int calls;
static int value(int x) { calls++; return x; }
static void mark(int x) { calls += x; }
static const char *text(const char *s) { calls++; return s; }

static const char *size(int n)
{
    return n < 0 ? "negative" : n == 0 ? "zero" : n < 10 ? "small" : n < 100 ? "medium" : "large";
}

int main(void)
{
    for (int i = -1; i < 1000; i = i * 10 + 9 + (i < 0))
        printf("%s ", size(i));
    printf("\n");
    int x = value(5) ?: value(6);
    int y = value(0) ?: value(7);
    printf("%d %d %d\n", x, y, calls);
    const char *name = text(0) ?: text("default");
    printf("%s %s\n", name, text("given") ?: "none");
    printf("%d\n", calls);
    printf("%g %g\n", 0.0 ?: 1.5, 2 ?: 1.5);
    printf("%lld %d\n", (long long)(1 ? -1 : 1u), (1 ? -1 : (short)1));
    printf("%g %g\n", 1 ? 1 : 2.5, 0 ? 1 : 2.5f);
    calls = 0;
    x ? mark(1) : mark(10);
    !x ? mark(1) : mark(10);
    printf("%d\n", calls);
    struct s p = {1, 2}, q = {3, 4};
    struct s r = y > 100 ? p : q;
    printf("%d %d\n", r.a, (x ? p : q).b);
    int a = 1, b = 2;
    *(x ? &a : &b) = 50;
    *(!x ? &a : &b) += 5;
    (x > y ? p : q).a;
    printf("%d %d\n", a, b);
    int arr[] = {1, 2, 3}, *none = 0;
    int *ptr = x ? arr : 0;
    void *v = x ? (void *)arr : none;
    printf("%d %d %d\n", *ptr, v == arr, (x ? arr : none)[2]);
    int (*f)(int) = x ? value : 0;
    printf("%d\n", f(9));
    int k = 0;
    int z = k++ ? k : k + 10;
    printf("%d %d\n", k, z);
    z = (x ? y : 0) ? a ? 1 : 2 : b ? 3 : 4;
    unsigned char c = x ? 300 : 1;
    _Bool t = x ? 7 : 0;
    printf("%d %d %d\n", z, c, t);
    return x ?: (y, 3);
}
