/* Unions: members share bytes; reading another member reinterprets them. */
#include <stdio.h>
#include <string.h>

union number {
    unsigned char bytes[8];
    unsigned short halves[4];
    unsigned words[2];
    unsigned long long whole;
    double real;
    float singles[2];
    struct {
        short low;
        char middle;
    } mixed;
};

struct variant {
    enum { INTEGER, REAL, TEXT, PAIR } kind;
    union {
        int integer;
        double real;
        const char *text;
        struct {
            int first, second;
        };
    };
};

static void print(struct variant v)
{
    switch (v.kind) {
    case INTEGER: printf("integer %d\n", v.integer); break;
    case REAL: printf("real %g\n", v.real); break;
    case TEXT: printf("text %s\n", v.text); break;
    case PAIR: printf("pair %d %d\n", v.first, v.second); break;
    }
}

static union number make(unsigned long long x)
{
    union number n;
    n.whole = x;
    return n;
}

static unsigned float_bits(float f)
{
    unsigned u;
    memcpy(&u, &f, sizeof u);
    return u;
}

int main(void)
{
    union number n = make(0x0123456789abcdefull);
    for (int i = 0; i < 8; i++)
        printf("%02x ", n.bytes[i]);
    printf("%x %x %x %x %x %x\n", n.halves[0], n.halves[3], n.words[0], n.words[1], n.mixed.low & 0xffff, n.mixed.middle);
    n.bytes[7] = 0x80;
    n.halves[0] = 0xffff;
    printf("%llx\n", n.whole);
    n.real = 1.5;
    printf("%llx %x\n", n.whole, n.words[1]);
    n.whole ^= 1ull << 63;
    printf("%g\n", n.real);
    n.singles[0] = -2.25f, n.singles[1] = 0.5f;
    printf("%x %x\n", n.words[0], n.words[1]);
    printf("%x %x %x\n", float_bits(1.0f), float_bits(-0.0f), float_bits(3.14159f));

    struct variant list[] = {{INTEGER, {42}}, {REAL, {.real = 2.5}}, {TEXT, {.text = "hello"}}, {PAIR, {.first = 3, .second = 4}}};
    for (int i = 0; i < 4; i++)
        print(list[i]);
    struct variant moved = list[3];
    moved.second++;
    print(moved);
    print(list[3]);

    union number pair[2] = {{{1, 2, 3, 4, 5, 6, 7, 8}}, {.words = {7, 9}}};
    pair[0] = pair[1];
    printf("%llx %zu\n", pair[0].whole, sizeof pair);
    unsigned char *p = (unsigned char *)&pair[1].words[1];
    p[1] = 1;
    printf("%u\n", pair[1].words[1]);
    return n.bytes[3] & 0x7f;
}
