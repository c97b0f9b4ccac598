/* Bit-fields: signed, unsigned, _Bool, enum, of every base type; values wrap into the width, reads extend. */
#include <stdio.h>
#include <string.h>

enum colour { RED, GREEN, BLUE };

struct flags {
    unsigned a : 1;
    unsigned b : 3;
    int c : 4;
    signed d : 1;
    unsigned e : 23;
    _Bool f : 1;
    enum colour g : 2;
    unsigned long long h : 40;
    long long i : 33;
    unsigned char j : 5;
    short k : 10;
};

static void dump(const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    printf("\n");
}

static void show(const struct flags *p)
{
    printf("%u %u %d %d %u %d %d %llu %lld %d %d\n", p->a, p->b, p->c, p->d, p->e, p->f, p->g, (unsigned long long)p->h,
           (long long)p->i, p->j, p->k);
}

static struct flags make(int x)
{
    struct flags r;
    memset(&r, 0, sizeof r);
    r.a = x;
    r.b = x;
    r.c = x;
    r.d = x;
    r.e = x;
    r.f = x;
    r.g = x & 1 ? BLUE : GREEN;
    r.h = x;
    r.i = x;
    r.j = x;
    r.k = x;
    return r;
}

int main(void)
{
    printf("%zu\n", sizeof(struct flags));
    int values[] = {0, 1, 2, 7, 8, 15, 16, 31, -1, -2, 511, 512, 1023, 0x7fffff, 123456789, -123456789};
    for (int i = 0; i < 16; i++) {
        struct flags f = make(values[i]);
        show(&f);
        dump(&f, sizeof f);
    }

    struct flags init = {1, 5, -3, -1, 1000, 1, BLUE, 0xffffffffffull, -4294967296LL, 31, -512};
    show(&init);
    struct flags designated = {.c = 7, .k = 511, .a = 1};
    show(&designated);
    struct flags copy = init;
    copy.b = 2;
    copy.h >>= 4;
    show(&copy);
    show(&init);

    /* The value of an assignment is the value of the field. */
    int got = (copy.b = 13);
    int neg = (copy.c = 8);
    int bit = (copy.d = 1);
    printf("%d %d %d\n", got, neg, bit);
    /* Promotion: fields narrower than int promote to int, even unsigned ones. */
    copy.b = 0;
    printf("%d %d\n", copy.b - 1 < 0, ~copy.b);
    printf("%d\n", copy.e - 1 < 8388607);
    copy.f = 42;
    printf("%d\n", copy.f);
    return init.b + init.j;
}
