/* Pointer arithmetic, comparison, levels of indirection, void pointers, conversion to integers and back. */
#include <stdint.h>
#include <stdio.h>

static void swap(int **a, int **b)
{
    int *t = *a;
    *a = *b;
    *b = t;
}

static int *largest(int *from, int *to)
{
    int *best = from;
    for (int *p = from; p != to; ++p)
        if (*p > *best)
            best = p;
    return best;
}

static void reverse(char *s)
{
    char *e = s;
    while (*e)
        e++;
    while (s < e) {
        char c = *s;
        *s++ = *--e;
        *e = c;
    }
}

static int generic_sum(const void *data, size_t n, size_t size)
{
    int s = 0;
    for (const char *p = data; n > 0; n--, p += size)
        s += size == 1 ? *(const signed char *)p : size == 2 ? *(const short *)p : *(const int *)p;
    return s;
}

int main(void)
{
    int a[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    int *p = a, *q = a + 9;
    printf("%ld %ld %d %d %d\n", (long)(q - p), (long)(p - q), p < q, p + 9 == q, *(q - 2));
    printf("%d %ld\n", *largest(a, a + 10), (long)(largest(a, a + 10) - a));
    swap(&p, &q);
    printf("%d %d\n", *p, *q);
    printf("%d ", *q++);
    printf("%d ", *++q);
    printf("%d ", ++*q);
    printf("%d ", (*q)++);
    printf("%d\n", *q);
    p -= 3;
    p += 1;
    printf("%ld %d\n", (long)(p - a), p[-1]);
    printf("%d %d %d %d\n", p >= q, p <= q, !p, p != 0);
    char s[] = "stressed";
    reverse(s);
    printf("%s\n", s);

    int **pp = &p, ***ppp = &pp;
    **pp = 100;
    ***ppp += 1;
    *pp = a + 2;
    printf("%d %d %d\n", a[7], **pp, *p);
    signed char bytes[] = {1, -2, 3};
    short shorts[] = {100, -200, 300};
    printf("%d %d %d\n", generic_sum(bytes, 3, 1), generic_sum(shorts, 3, 2), generic_sum(a, 10, 4));

    uintptr_t u = (uintptr_t)&a[4];
    int *back = (int *)(u + sizeof(int));
    printf("%d %d %d\n", *back, (uintptr_t)back - u == sizeof(int), u % _Alignof(int) == 0);
    void *v = a;
    printf("%d %d\n", *((int *)v + 1), *(int *)((char *)v + 8));
    v += 12;
    printf("%d\n", *(int *)v);
    const int *const fixed = &a[5];
    int *none = 0;
    printf("%d %d %d %d\n", *fixed, none == 0, none ? 1 : 2, fixed && 1);
    struct node { int v; struct node *next; } c = {3, 0}, b = {2, &c}, h = {1, &b};
    h.next->next->v = 30;
    printf("%d %d\n", h.next->next->v, c.v);
    int *array_of[3] = {a, a + 1, a + 2};
    int *(*to_array)[3] = &array_of;
    return *(*to_array)[2] + *array_of[1];
}
