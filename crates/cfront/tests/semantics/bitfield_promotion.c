/* What type a bit-field has in an expression: narrow ones promote to int whatever their declared type, also as the value
   of an assignment, increment or comma; a cast, even to the declared type, ends that. */
#include <stdio.h>

#define TYPE(e) _Generic((e), int: "int", unsigned: "unsigned", long: "long", unsigned long long: "ullong", default: "other")

struct s {
    unsigned b : 3;
    unsigned w : 32;
    int i : 5;
    unsigned long long q : 20;
    unsigned char c : 4;
    long l : 31;
    unsigned long long full : 64;
};
static struct s s = {0, 0, -1, 0, 1, -1, 0};
static unsigned as_unsigned(unsigned x) { return x; }

int main(void)
{
    int m = -1;
    printf("%s %s %s %s %s %s %s\n", TYPE(+s.b), TYPE(+s.w), TYPE(+s.i), TYPE(+s.q), TYPE(+s.c), TYPE(+s.l), TYPE(+s.full));
    printf("%d %d %d %d\n", s.b > m, s.w > m, s.q > m, s.c > m);
    printf("%d %d %d\n", (unsigned)s.b > m, (unsigned)s.w > m, (unsigned long long)s.q > m);
    printf("%s %s %s\n", TYPE((unsigned)s.b), TYPE((unsigned)s.b + 0), TYPE((unsigned long long)s.q + 0));
    printf("%d %d\n", (s.b = 0) > m, (s.b += 0) > m);
    printf("%d ", s.b++ > m);
    printf("%d %d\n", --s.b > m, (m, s.b) > m);
    printf("%s %s %s %s\n", TYPE((s.q = 1) + 0), TYPE((m, s.q) + 0), TYPE(s.q++ + 0), TYPE((1 ? s.q : s.q) + 0));
    printf("%d %d %d\n", (1 ? s.b : s.b) > m, ({ s.b; }) > m, as_unsigned(s.b) > m);
    printf("%d %d %d\n", s.b - 1 < 0, (unsigned)s.b - 1 < 0, s.w - 1 < 0);
    /* The classic: a page number is shifted in int unless it is cast. */
    s.q = 0xfffff;
    unsigned long long narrow = s.q << 16, wide = (unsigned long long)s.q << 16;
    printf("%llx %llx\n", narrow, wide);
    printf("%d %d\n", ~s.b < 0, -s.c < 0);
    printf("%zu %zu %zu\n", sizeof(+s.q), sizeof((unsigned long long)s.q), sizeof(s.c + s.c));
    return s.i + s.l + 10;
}
