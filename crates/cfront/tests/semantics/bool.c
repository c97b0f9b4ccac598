/* _Bool: every conversion gives 0 or 1; arithmetic promotes; storage, fields, parameters, pointers. */
#include <stdbool.h>
#include <stdio.h>

struct s { bool a; bool b : 1; char c; };
static bool is(int x) { return x; }
static bool from_double(double x) { return x; }
static bool from_pointer(const void *p) { return p; }
static int take(_Bool b) { return b; }
static bool global = 256;
static bool table[4] = {0, 2, -1, 0.5};

int main(void)
{
    printf("%d %d %d %d\n", is(0), is(1), is(256), is(-1));
    printf("%d %d %d\n", from_double(0.3), from_double(-0.0), from_double(1e-320));
    printf("%d %d\n", from_pointer(&global), from_pointer(0));
    printf("%d %d %d\n", take(512), take(0), take('a'));
    printf("%d %d%d%d%d\n", global, table[0], table[1], table[2], table[3]);
    printf("%zu %d %d\n", sizeof(bool), true + true, (int)sizeof(true));
    bool b = 5;
    printf("%d ", b);
    b = b + b;
    printf("%d ", b);
    b = !b;
    printf("%d ", b);
    b = ~b;
    printf("%d ", b);
    b ^= 1;
    printf("%d ", b);
    b |= 4;
    printf("%d ", b);
    b <<= 3;
    printf("%d ", b);
    b >>= 1;
    printf("%d ", b);
    b = -1;
    printf("%d\n", b);
    int x = (b = 77) + 10;
    unsigned char byte = (bool)0x100;
    printf("%d %d %d\n", x, byte, (bool)(unsigned char)0x100);
    struct s s = {7, 8, 9}, t;
    t = s;
    t.a = s.c - 9;
    t.b = 2;
    printf("%d %d %d %d\n", s.a, s.b, t.a, t.b);
    bool *p = &table[0];
    *p++ = 3;
    *p = 0.0f;
    printf("%d %d\n", table[0], table[1]);
    bool cmp = 3 > 2, both = cmp && x, either = !cmp || !x;
    printf("%d %d %d %d %d\n", cmp, both, either, cmp == true, both == 5);
    int count[2] = {0, 0};
    for (int i = 0; i < 10; i++)
        count[(bool)(i & 6)]++;
    printf("%d %d\n", count[false], count[true]);
    b = (long long)1 << 40;
    printf("%d %d %d\n", b, (bool)(1LL << 40), (int)(1LL << 40));
    switch (b) {
    case false: printf("false\n"); break;
    case true: printf("true\n"); break;
    }
    unsigned char raw = 1;
    bool *view = (bool *)&raw;
    float f = b;
    return *view + (f == 1.0f) + (b ? 40 : 2);
}
