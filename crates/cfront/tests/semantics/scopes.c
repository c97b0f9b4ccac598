/* Names: shadowing, tags and members and labels in their own spaces, typedefs hidden, declarations everywhere. */
#include <stdio.h>

typedef int T;
static int x = 1;
struct x { int x; };
static int f(int f) { return f + 1; }
static int g(struct x x) { struct x y = x; return y.x; }
int declared_here(void);

static int order(int a, int b)
{
    int c = a;
    {
        int a = b;
        {
            int b = a * 10;
            c += b;
        }
        c += a;
    }
    return c + a;
}

static int for_scope(void)
{
    int i = 100, s = 0;
    for (int i = 0; i < 3; i++) {
        int i = 5;
        s += i++;
    }
    if (i)
        s += 1;
    return s + i;
}

int main(void)
{
    printf("%d %d %d\n", x, f(4), g((struct x){7}));
    int x = 2;
    {
        extern int outside;
        int x = 3;
        printf("%d %d\n", x, outside);
    }
    printf("%d %d\n", x, order(1, 2));
    {
        T T = 5;
        T++;
        printf("%d\n", T);
    }
    T t = 6;
    struct x { char c[2]; } local;
    printf("%d %zu\n", t, sizeof local);
    {
        struct x;
        struct x { long l[3]; } inner;
        printf("%zu %zu\n", sizeof inner, sizeof(struct x));
    }
    enum { A = 1 };
    {
        enum { B = A + 1, A = 10 };
        printf("%d %d\n", A, B);
    }
    goto x;
x:
    printf("%d %d\n", x, A);
    int y = x, z = y + 1, *p = &z, q[] = {y, z};
    printf("%d %d %d\n", *p, q[1], declared_here());
    int (*h)(int), k;
    h = f, k = h(1);
    int declared_here(void);
    (void)k;
    typedef struct x X;
    X list[2];
    typedef int (*binary)(int, int);
    binary o = order;
    unsigned typedef long number;
    number n = -1;
    printf("%zu %d %d\n", sizeof list, o(3, 4), n > 0);
    while (0)
        ;
    return for_scope() == 116 ? 5 : for_scope();
}

int outside = 9;
int declared_here(void) { return outside + 1; }
