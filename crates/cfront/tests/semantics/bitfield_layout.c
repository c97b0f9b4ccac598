/* Where bit-fields lie: units, zero width, packing, straddling, unions. The bytes are what gcc's layout makes them. */
#include <stdio.h>
#include <string.h>

struct straddle {
    unsigned a : 20;
    unsigned b : 20;
    unsigned c : 20;
};
struct __attribute__((packed)) packed {
    unsigned a : 20;
    unsigned b : 20;
    unsigned c : 7;
    char d;
    unsigned short e : 9;
    unsigned long long f : 61;
    int g : 3;
};
struct zero {
    char a : 3;
    int : 0;
    char b : 4;
    int : 5;
    char c : 2;
};
struct mixed {
    char a;
    int b : 7;
    char c;
    short d : 9;
    int e : 17;
    long long f : 40;
    char g : 8;
};
union overlay {
    unsigned all;
    struct {
        unsigned low : 4, middle : 24, high : 4;
    } parts;
    struct {
        signed low : 12;
        signed high : 20;
    } halves;
    int first : 5;
};
struct nested {
    struct {
        unsigned x : 3;
        unsigned y : 5;
    } in[3];
    unsigned z : 6;
};

static void dump(const char *name, const void *p, size_t n)
{
    const unsigned char *b = p;
    printf("%s %zu: ", name, n);
    for (size_t i = 0; i < n; i++)
        printf("%02x", b[i]);
    printf("\n");
}

#define CLEAR(x) memset(&x, 0, sizeof x)

int main(void)
{
    struct straddle s;
    CLEAR(s);
    s.a = 0xabcde, s.b = 0x12345, s.c = 0xfedcb;
    dump("straddle", &s, sizeof s);
    struct packed p;
    CLEAR(p);
    p.a = 0xabcde, p.b = 0x12345, p.c = 0x55, p.d = 0x77, p.e = 0x1a5, p.f = 0x0123456789abcdefull, p.g = -3;
    dump("packed", &p, sizeof p);
    printf("%x %x %x %x %x %llx %d\n", p.a, p.b, p.c, p.d, p.e, (unsigned long long)p.f, p.g);
    p.b++, p.f += 0x100000001ull, p.g--;
    dump("packed", &p, sizeof p);
    struct zero z;
    CLEAR(z);
    z.a = -2, z.b = 7, z.c = 1;
    dump("zero", &z, sizeof z);
    struct mixed m;
    CLEAR(m);
    m.a = 1, m.b = -1, m.c = 2, m.d = -200, m.e = 0xffff, m.f = -1099511627LL, m.g = -128;
    dump("mixed", &m, sizeof m);
    printf("%d %d %d %d %d %lld %d\n", m.a, m.b, m.c, m.d, m.e, (long long)m.f, m.g);
    union overlay o;
    o.all = 0x8234567f;
    printf("%x %x %x %d %d %d\n", o.parts.low, o.parts.middle, o.parts.high, o.halves.low, o.halves.high, o.first);
    o.parts.middle = 0xabcdef;
    o.halves.low = -1;
    printf("%x\n", o.all);
    struct nested n;
    CLEAR(n);
    for (int i = 0; i < 3; i++)
        n.in[i].x = i + 5, n.in[i].y = 30 + i;
    n.z = 63;
    dump("nested", &n, sizeof n);
    return n.in[2].x;
}
