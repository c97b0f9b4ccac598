/* Structs returned into places that are also arguments, with padding, bit-fields and packing in all positions. */
#include <stdio.h>

struct padded {
    unsigned long a;
    char b;
    unsigned long long c;
    long long d : 1;
    long e : 22;
};
struct __attribute__((packed)) tight {
    int a : 22;
    unsigned short b : 2;
    struct padded in;
    _Bool c : 1;
};
struct small { unsigned a : 4, b : 4; };

static struct padded global = {1, 2, 3, -1, 5};
static struct tight outer = {-7, 2, {10, 20, 30, 0, -40}, 1};
static struct small table[3] = {{1, 2}, {15, 16}, {-1, -2}};

static struct padded change(struct padded s, long x)
{
    s.d = x;
    s.e += x;
    return s;
}

static struct tight wrap(struct tight t, struct padded p)
{
    t.in = change(p, t.a);
    t.a = -t.a;
    t.c = !t.c;
    return t;
}

static struct small make(int x) { return (struct small){x, x >> 4}; }
static struct small flip(struct small s) { return (struct small){.a = s.b, .b = s.a}; }
static struct small set(int x)
{
    struct small s;
    s.a = x;
    s.b = ~x;
    return s;
}

static void show(struct padded p) { printf("%lu %d %llu %d %d\n", p.a, p.b, p.c, (int)p.d, (int)p.e); }

int main(void)
{
    global = change(global, 1);
    show(global);
    global = change(change(global, 2), 3);
    show(global);
    outer.in = change(outer.in, 7);
    show(outer.in);
    outer = wrap(outer, global);
    printf("%d %d %d\n", outer.a, outer.b, outer.c);
    show(outer.in);
    outer = wrap(outer, outer.in);
    printf("%d %d %d\n", outer.a, outer.b, outer.c);
    show(outer.in);
    struct tight copy = outer, *p = &copy;
    *p = wrap(*p, p->in);
    show(p->in);
    show(outer.in);
    table[0] = flip(table[0]);
    table[1] = flip(flip(make(0x35)));
    table[2] = set(5);
    for (int i = 0; i < 3; i++)
        printf("%d %d ", table[i].a, table[i].b);
    struct small list[2] = {make(0x12), flip(make(0x12))};
    list[0] = list[1] = flip(list[0]);
    printf("%d %d %d\n", list[0].a, list[0].b, list[1].b);
    static struct padded zero;
    zero = change(zero, 9);
    zero.c++;
    show(zero);
    return make(0x4c).a;
}
