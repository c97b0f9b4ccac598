/* #pragma pack in all its forms: sizes, offsets and bit positions. */
#include <stdio.h>
#include <stddef.h>
struct plain { char a; int b; short c; };
#pragma pack(push)
#pragma pack(1)
struct one { char a; int b; short c; unsigned d : 3, e : 30; };
union over { struct one o; unsigned char bytes[16]; };
#pragma pack(push, 2)
struct two { char a; int b; long long c; };
#pragma pack(pop)
struct again { char a; long b; };
#pragma pack(pop)
struct back { char a; long b; };
#pragma pack(push, tag, 4)
struct four { char a; double d; };
#pragma pack(push, 1)
struct inner { char a; double d; };
#pragma pack(pop, tag)
struct out { char a; double d; };
#pragma pack(2)
struct two2 { char a; int b; };
#pragma pack()
struct dflt { char a; int b; };
int main(void)
{
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct plain), sizeof(struct one), sizeof(struct two), sizeof(struct again),
           sizeof(struct back));
    printf("%zu %zu %zu %zu %zu\n", sizeof(struct four), sizeof(struct inner), sizeof(struct out), sizeof(struct two2),
           sizeof(struct dflt));
    printf("%zu %zu %zu\n", offsetof(struct one, b), offsetof(struct two, c), offsetof(struct four, d));
    union over u = { .bytes = { 0 } };
    u.o.a = 1;
    u.o.b = -2;
    u.o.c = 3;
    u.o.d = 5;
    u.o.e = 0x2badbeef & 0x3fffffff;
    for (int i = 0; i < 16; i++)
        printf("%02x", u.bytes[i]);
    printf(" %d %x\n", u.o.d, u.o.e);
    return 0;
}
