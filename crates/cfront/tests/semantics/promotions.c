/* Integer promotions and the usual arithmetic conversions, seen through comparisons, sizes and wrap-around. */
#include <stdio.h>

#define TYPE(e) _Generic((e), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", \
    unsigned short: "ushort", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong",         \
    long long: "llong", unsigned long long: "ullong", float: "float", double: "double", long double: "ldouble", default: "other")

int main(void)
{
    char c = 'c';
    signed char sc = -1;
    unsigned char uc = 255;
    short s = -1;
    unsigned short us = 65535;
    int i = -1;
    unsigned u = 1;
    long l = -1;
    unsigned long ul = 1;
    long long ll = -1;
    unsigned long long ull = 1;
    float f = 1;
    double d = 2;
    long double ld = 3;
    _Bool b = 1;

    printf("%s %s %s %s %s\n", TYPE(c + c), TYPE(+sc), TYPE(-uc), TYPE(~us), TYPE(b + b));
    printf("%s %s %s %s %s\n", TYPE(i + u), TYPE(u + l), TYPE(l + ul), TYPE(ul + ll), TYPE(ll + ull));
    printf("%s %s %s %s %s\n", TYPE(i + f), TYPE(ull + f), TYPE(f + d), TYPE(d + ld), TYPE(f * f));
    printf("%s %s %s %s\n", TYPE(c << ull), TYPE(u >> l), TYPE(!ull), TYPE(s ? s : uc));
    printf("%s %s %s %s %s %s\n", TYPE('a'), TYPE(1u), TYPE(1l), TYPE(1ull), TYPE(1.0f), TYPE(1.0));
    printf("%s %s %s %s %s\n", TYPE(2147483647), TYPE(2147483648), TYPE(0x7fffffff), TYPE(0x80000000), TYPE(0x8000000000000000));
    printf("%s %s %s %s\n", TYPE(sizeof c), TYPE(&c - &c), TYPE((c, s)), TYPE(i == l));

    printf("%d %d %d %d\n", sc < uc, sc < us, s == us, (unsigned char)sc == uc);
    printf("%d %d %d %d\n", i < u, l < u, l < ul, i < ull);
    printf("%d %d %d\n", sc == (signed char)uc, (s & 0xffff) == us, i == (int)4294967295u);
    printf("%d %d %d\n", uc + 1, us + 1, (unsigned char)(uc + 1));
    printf("%d %d %d\n", ~uc, ~sc, -us);
    printf("%d %d\n", uc << 4, (unsigned char)(uc << 4));
    printf("%d %d\n", us * 2, sc * uc);
    printf("%u %lu %d\n", i + u, l * ul, s / uc);
    printf("%u %d\n", -1 / 2u, -1 / 2);
    printf("%u %d %d\n", -7 % 3u, -7 % 3, 7 % -3);
    printf("%lu %lu %lu %lu\n", sizeof(c + c), sizeof(c), sizeof(s + l), sizeof(1 ? c : ull));
    printf("%d\n", (uc >> 1) + (sc >> 1));
    unsigned char a = 200, e = 100;
    unsigned char sum = a + e;
    int isum = a + e;
    printf("%d %d %d\n", sum, isum, (a + e) / 2);
    printf("%d %d\n", (char)0x80 == 0x80, (char)0x80 == (char)0x80);
    printf("%d\n", b + b + b);
    return (uc + sc) & 0xff;
}
