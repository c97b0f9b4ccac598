/* Compound assignment and ++/-- on bit-fields: one read, one write, result of the field's value. */
#include <stdio.h>

struct counters {
    unsigned a : 2;
    int b : 3;
    unsigned long long c : 35;
    _Bool d : 1;
    unsigned char e : 7;
};

static int calls;

static struct counters *place(struct counters *p)
{
    calls++;
    return p;
}

int main(void)
{
    struct counters x = {0};
    for (int i = 0; i < 6; i++)
        printf("%d ", x.a++);
    printf("\n");
    for (int i = 0; i < 6; i++)
        printf("%d ", ++x.b);
    printf("\n");
    for (int i = 0; i < 10; i++)
        printf("%d ", x.b--);
    printf("%d\n", x.b);
    x.c -= 1;
    printf("%llu\n", (unsigned long long)x.c);
    x.c++;
    printf("%llu\n", (unsigned long long)x.c);
    x.d++;
    x.d++;
    printf("%d\n", x.d);
    x.d--;
    printf("%d\n", x.d);
    x.d--;
    printf("%d\n", x.d);
    x.e = 100;
    x.e += 50;
    printf("%d ", x.e);
    x.e *= 3;
    printf("%d ", x.e);
    x.e <<= 2;
    printf("%d ", x.e);
    x.e |= 65;
    printf("%d ", x.e);
    x.e ^= 0xff;
    printf("%d ", x.e);
    x.e /= 2;
    printf("%d ", x.e);
    x.e %= 7;
    printf("%d ", x.e);
    x.e -= 10;
    printf("%d\n", x.e);
    int r = (x.e += 20);
    int s = (x.b += 5);
    printf("%d %d\n", r, s);
    place(&x)->a += 3;
    place(&x)->a++;
    --place(&x)->b;
    printf("%d %d %d\n", calls, x.a, x.b);
    struct counters array[3] = {{1}, {2}, {3}};
    int i = 0;
    array[i++].a++;
    array[i++].c += 1ull << 34;
    printf("%d %d %llu %d\n", i, array[0].a, (unsigned long long)array[1].c, array[2].a);
    x.a = x.b = x.e = 6;
    printf("%d %d %d\n", x.a, x.b, x.e);
    return x.a * 16 + (x.b & 15);
}
