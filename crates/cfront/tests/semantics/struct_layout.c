/* Sizes, offsets and alignments, with packed and aligned attributes and anonymous members. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct a { char c; int i; };
struct b { char c; double d; char e; };
struct c { short s[3]; long l; };
struct d { struct a a; char c; struct b b; };
struct __attribute__((packed)) e { char c; int i; short s; long long l; };
struct f { char c; struct e e; int i; };
struct __attribute__((aligned(32))) g { char c; };
struct h { char c; int i __attribute__((aligned(16))); char d; };
struct i { char c; long double ld; char d; };
struct j { char c; struct { short s; union { char x; int y; }; }; char z[3]; };
struct k { int n; char tail[]; };
struct l { char c; int i __attribute__((packed)); };
struct m { _Alignas(8) char c; char d; };
union u { char c[5]; short s; };
union v { struct a a; long long l; char c[9]; };
struct empty {};
struct o { char c; struct empty e; int i; };

#define S(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))
#define O(t, m) printf(#t "." #m " %zu\n", offsetof(t, m))

int main(void)
{
    S(char), S(short), S(int), S(long), S(long long), S(float), S(double), S(long double), S(void *), S(_Bool);
    S(struct a), S(struct b), S(struct c), S(struct d), S(struct e), S(struct f), S(struct g), S(struct h), S(struct i);
    S(struct j), S(struct k), S(struct l), S(struct m), S(union u), S(union v), S(struct empty), S(struct o);
    O(struct a, i), O(struct b, d), O(struct b, e), O(struct c, l), O(struct d, c), O(struct d, b), O(struct d, b.e);
    O(struct e, i), O(struct e, l), O(struct f, e.s), O(struct f, i), O(struct h, i), O(struct h, d), O(struct i, ld);
    O(struct j, s), O(struct j, y), O(struct j, z[1]), O(struct k, tail), O(struct l, i), O(struct m, d), O(struct o, i);
    S(int[3][4]), S(struct b[3]), S(char *[5]), S(int (*)[7]);

    /* Unaligned fields of packed structs work like others. */
    struct e e = {1, 0x01020304, -5, 0x1122334455667788LL};
    unsigned char bytes[sizeof e];
    memcpy(bytes, &e, sizeof e);
    for (size_t n = 0; n < sizeof e; n++)
        printf("%02x", bytes[n]);
    e.i++, e.s *= 2, e.l >>= 8;
    printf(" %d %d %llx\n", e.i, e.s, e.l);
    struct f many[2] = {{1, {2, 3, 4, 5}, 6}, {7, {8, 9, 10, 11}, 12}};
    printf("%d %d %lld %d\n", many[1].e.i, many[1].e.s, many[1].e.l, many[1].i);
    struct j j = {1, {2, {.y = 0x203}}, "ab"};
    printf("%d %d %d %s\n", j.s, j.y, j.x, j.z);
    printf("%ld\n", (long)((char *)&many[1].e.l - (char *)many));
    return sizeof(struct d);
}
