/* Tables of constants: nested structs, pointers into other tables, functions, strings; constant expressions. */
#include <stdio.h>

static const unsigned crc_table[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static unsigned crc(const char *s)
{
    unsigned c = ~0u;
    for (; *s; s++) {
        c = crc_table[(c ^ *s) & 15] ^ c >> 4;
        c = crc_table[(c ^ *s >> 4) & 15] ^ c >> 4;
    }
    return ~c;
}

static int inc(int x) { return x + 1; }
static int dbl(int x) { return x * 2; }

enum { COUNT = 3, WIDTH = COUNT * 2 + 1, MASK = ~0u >> (32 - 5) };
static const char letters[] = "abc" "def" "\x41\102\0hidden";
static const int numbers[COUNT][2] = {{1, 2}, {3, 4}, {5, 6}};

struct rule { const char *name; int (*const steps[3])(int); const int *data; struct { unsigned char lo, hi; } range; };
static const struct rule rules[] = {
    {"first", {inc, dbl}, numbers[1], {'a', 'f'}},
    {"second", {dbl, dbl, inc}, &numbers[2][1], {.hi = MASK}},
    {.name = letters + 3, .data = numbers[0] + 1},
};
static const struct rule *const order[] = {&rules[2], &rules[0], rules + 1, 0};
static const long expressions[] = {
    1 + 2 * 3, (1 << 10) - 1, -7 / 2, -7 % 3, 5 > 3 && 2 > 1, !0, ~0, sizeof(int[WIDTH]), 'a' + 1, 1 ? 10 : 20, (char)300, (unsigned char)-1,
    0x7fffffff + 1L, 010, 0b101, (int)3.9, 3.5 > 3, (long)&((struct rule *)0)->data, 7 & 3 | 8 ^ 1, 100u / 7, -1 < 0u,
};
static const double reals[] = {1 / 2, 1 / 2.0, 1e3, 0x1.8p1, .5f, -0.0, 1.0 / 3};
static int *const none = 0;
static const char *const text = &letters[1];
_Static_assert(WIDTH == 7, "width");
_Static_assert(sizeof numbers / sizeof *numbers == COUNT, "count");

int main(void)
{
    printf("%x %x\n", crc("123456789"), crc(""));
    for (const struct rule *const *p = order; *p; p++) {
        int x = 10;
        for (int i = 0; i < 3 && (*p)->steps[i]; i++)
            x = (*p)->steps[i](x);
        printf("%s %d %d %d %d\n", (*p)->name, x, *(*p)->data, (*p)->range.lo, (*p)->range.hi);
    }
    for (unsigned i = 0; i < sizeof expressions / sizeof *expressions; i++)
        printf("%ld ", expressions[i]);
    for (unsigned i = 0; i < sizeof reals / sizeof *reals; i++)
        printf("%.17g ", reals[i]);
    printf("\n%zu %s %c %d\n", sizeof letters, letters, *text, none == 0);
    return MASK;
}
