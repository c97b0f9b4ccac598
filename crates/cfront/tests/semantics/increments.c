/* ++ and -- on every kind of lvalue: the value, the effect, the wrap. */
#include <stdio.h>

struct s { int i; char c; double d; int a[3]; struct s *next; };
static int global = 5;
static unsigned char bytes[3] = {255, 0, 127};

static int *once(int *p)
{
    static int calls;
    printf("[%d]", ++calls);
    return p;
}

int main(void)
{
    int i = 0;
    printf("%d ", i++);
    printf("%d ", ++i);
    printf("%d ", i--);
    printf("%d ", --i);
    printf("%d\n", i);
    global++;
    --global;
    printf("%d ", global++);
    printf("%d\n", global);
    bytes[0]++;
    bytes[1]--;
    ++bytes[2];
    printf("%d %d %d\n", bytes[0], bytes[1], bytes[2]);
    signed char sc = 127;
    int was = sc++;
    printf("%d %d ", was, sc);
    was = --sc;
    printf("%d\n", was);
    unsigned short us = 0;
    printf("%d ", us--);
    printf("%d ", us++);
    printf("%d\n", us);
    unsigned long long ull = 0;
    ull--;
    printf("%llu ", ull);
    ull++;
    printf("%llu\n", ull);
    float f = 1.5f;
    f++;
    double d = -0.25;
    printf("%g %g ", f--, ++d);
    printf("%g %g\n", f, d);
    _Bool b = 0;
    b++;
    b++;
    printf("%d ", b);
    b--;
    printf("%d ", b);
    printf("%d ", b--);
    printf("%d\n", b);
    int a[5] = {10, 20, 30, 40, 50}, *p = a;
    printf("%d ", *p++);
    printf("%d ", *++p);
    printf("%d ", ++*p);
    printf("%d ", (*p)++);
    printf("%d ", *p--);
    printf("%d %d\n", *p, (int)(p - a));
    int **pp = &p;
    (*pp)++;
    ++**pp;
    printf("%d\n", *p);
    struct s x = {1, 'a', 0.5, {1, 2, 3}, 0}, y = {2, 'b', 1.5, {4, 5, 6}, &x}, *q = &y;
    q->i++;
    q->next->c++;
    ++q->next->a[q->i - 2];
    q->d--;
    x.a[x.a[0]++]++;
    printf("%d %c %d %d %d %g\n", y.i, x.c, x.a[0], x.a[1], x.a[2], y.d);
    q = q->next;
    printf("%d ", q++->i);
    printf("%d\n", (int)(q - &x));
    (*once(&i))++;
    ++*once(&i);
    a[*once(&i) - 2]--;
    printf("%d %d\n", i, a[0]);
    char text[] = "hal", *c = text;
    while (*c)
        ++*c++;
    printf("%s\n", text);
    volatile int v = 3;
    int r = v++ + 10;
    enum { E0, E1, E2 } e = E0;
    e++;
    long l = 2147483647;
    l++;
    printf("%d %d %d %ld\n", r, v, e, l);
    int m[2][2] = {{1, 2}, {3, 4}}, (*row)[2] = m;
    row++;
    (*row)[1]++;
    int before = row[-1][0]++;
    return row[0][1] + before + m[0][0];
}
