/* switch: fall-through, ranges, default anywhere, nested, in loops, on every type, declarations, Duff's device. */
#include <stdio.h>

static int classify(int c)
{
    switch (c) {
    case '0' ... '9': return 1;
    case 'a' ... 'f':
    case 'A' ... 'F': return 2;
    case ' ':
    case '\t': return 3;
    default: return 0;
    case -5 ... -1: return -1;
    }
}

static int fall(unsigned x)
{
    int r = 0;
    switch (x) {
    case 3: r += 1000;
    case 2: r += 100;
    default: r += 10;
    case 1: r += 1; break;
    case 0: r = -1;
    }
    return r;
}

static int on_long(unsigned long long x)
{
    switch (x) {
    case 0xffffffffffffffffull: return 1;
    case 0x100000000ull: return 2;
    case 0: return 3;
    }
    return 4;
}

static int on_char(char c)
{
    switch (c) {
    case '\xff': return 1;
    case -128: return 2;
    case 127: return 3;
    case 300: return 5;
    }
    return 4;
}

enum kind { A = 1, B = 5, C = -3 };
static int on_enum(enum kind k)
{
    switch (k) {
    case A: return 10;
    case B: return 20;
    case C: return 30;
    }
    return 40;
}

static void duff(char *to, const char *from, int count)
{
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
        case 3: *to++ = *from++;
        case 2: *to++ = *from++;
        case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

static int nested(int a, int b)
{
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2: {
        int v = b;
        if (v > 5) {
        case 3: return 23;
        }
        break;
    }
    default:
        while (1)
            switch (b--) {
            case 0: return 90;
            case 3: continue;
            default: break;
            }
    }
    return 0;
}

static int side_effects;
static int next(void) { return ++side_effects; }

int main(void)
{
    const char *s = "7bF \tz-";
    for (; *s; s++)
        printf("%d ", classify(*s));
    printf("%d %d\n", classify(-3), classify(-6));
    for (unsigned i = 0; i < 5; i++)
        printf("%d ", fall(i));
    printf("\n%d %d %d %d\n", on_long(-1), on_long(1ull << 32), on_long(0), on_long(0xffffffff));
    printf("%d %d %d %d\n", on_char(-1), on_char(128), on_char(127), on_char(44));
    printf("%d %d %d %d\n", on_enum(A), on_enum(B), on_enum(C), on_enum(2));
    for (int n = 1; n < 10; n++) {
        char to[12] = "...........";
        duff(to, "abcdefghij", n);
        printf("%s ", to);
    }
    printf("\n%d %d %d %d %d %d %d\n", nested(1, 1), nested(1, 2), nested(1, 3), nested(2, 6), nested(2, 1), nested(3, 0), nested(4, 5));
    switch (next())
    case 1: printf("once %d\n", side_effects);
    switch (5) {}
    switch (next()) {
        int unused;
        printf("never\n");
    }
    for (int i = 0; i < 6; i++) {
        switch (i % 3) {
        case 0: continue;
        case 1: break;
        default: goto out;
        }
        printf("after %d\n", i);
    }
out:
    switch ((unsigned char)-1) {
    case 255: return side_effects;
    }
    return 99;
}
