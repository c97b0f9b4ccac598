/* Enumerations: values, gaps, negatives, constant expressions, underlying types, use as integers. */
#include <stdio.h>

enum plain { A, B, C = 10, D, E = C + 5, F = A };
enum negative { MINUS = -5, NEXT, ZERO = 0 };
enum big { LARGE = 0xffffffffu };
enum huge { HUGE_VALUE = 0x100000000LL, MORE };
enum flags { READ = 1 << 0, WRITE = 1 << 1, EXEC = 1 << 2, ALL = READ | WRITE | EXEC };
enum __attribute__((packed)) small { TINY = 200 };
enum sized { FROM_SIZEOF = sizeof(long) * 2, FROM_CHAR = 'x', FROM_COND = FROM_SIZEOF > 4 ? 7 : 8 };
typedef enum { MON, TUE, WED, DAYS } day;

struct event { day d; enum flags f; };

static const char *const names[DAYS] = {[WED] = "wed", [MON] = "mon", [TUE] = "tue"};
static day after(day d) { return (d + 1) % DAYS; }
static enum flags add(enum flags f, int bit) { return f | bit; }

int main(void)
{
    printf("%d %d %d %d %d %d\n", A, B, C, D, E, F);
    printf("%d %d %u %lld %lld\n", MINUS, NEXT, LARGE, (long long)HUGE_VALUE, (long long)MORE);
    printf("%d %d %d %d\n", ALL, FROM_SIZEOF, FROM_CHAR, FROM_COND);
    printf("%zu %zu %zu %zu %zu\n", sizeof(enum plain), sizeof(enum negative), sizeof(enum big), sizeof(enum huge), sizeof(enum small));
    enum plain p = 3;
    enum negative n = MINUS;
    enum big b = LARGE;
    printf("%d %d %d\n", p, n < 0, b > 0);
    printf("%d %d\n", (enum plain)-1 < 0, (enum negative)-1 < 0);
    for (day d = MON; d < DAYS; d++)
        printf("%s->%s ", names[d], names[after(d)]);
    struct event e = {WED, add(READ, EXEC)};
    e.f &= ~READ;
    e.d--;
    printf("%d %d\n", e.d, e.f);
    enum { LOCAL = 3, SIZE = LOCAL * 4 };
    int array[SIZE] = {[LOCAL] = 1};
    {
        enum { LOCAL = 30 };
        array[0] = LOCAL;
    }
    array[1] = LOCAL;
    printf("%zu %d %d %d\n", sizeof array, array[3], array[0], array[1]);
    enum small s = TINY;
    s += 100;
    printf("%d\n", s);
    int i = C;
    p = i * 2;
    p++;
    switch (p) {
    case 21: printf("twenty-one\n"); break;
    default: printf("other\n");
    }
    return p + (enum plain)2.9;
}
