/* Initialisers: designators, nested, brace elision, strings, overriding, computed at run time, zero for the rest. */
#include <stdio.h>

struct in { int a; char s[4]; };
struct out { int n; struct in in[2]; double d; int *p; union { int i; float f; } u; };

static int target = 3;
static struct out fixed = {
    .in = {[1] = {.s = "ab", .a = 5}, [0].a = 4}, .p = &target, .n = 1, .u.f = 2.5f,
};
static int holes[] = {[5] = 50, 60, [2] = 20, 30, [9] = 90};
static int ranges[10] = {[1 ... 3] = 7, [6 ... 8] = 9, [7] = 1};
static const char *names[] = {[2] = "two", [0] = "zero"};
static char matrix[][3] = {"ab", {'c'}, {[2] = 'd'}};
static struct { struct { int x, y; } p[2]; int z; } elided = {1, 2, 3, 4, 5}, partial = {{{1}, 2}, 3};
static int deep[2][2][2] = {{1, 2, 3}, {{4}, {5, 6}}};
static char exact[3] = "abc", longer[6] = "abc", braces[] = {"xy"};
static struct { int a, b, c; } override = {1, 2, 3, .b = 20, 30, .a = 10};
static unsigned char wrapped = 300;
static float from_int = 3;
static int from_float = 2.9;
static _Bool from_pointer = &target;

static int runs;
static int next(void) { return ++runs; }

static void show(const struct out *o)
{
    printf("%d %d %d %s %d %g %d %g\n", o->n, o->in[0].a, o->in[1].a, o->in[1].s, o->in[1].s[3], o->d, o->p ? *o->p : -1, o->u.f);
}

int main(void)
{
    show(&fixed);
    for (unsigned i = 0; i < sizeof holes / sizeof *holes; i++)
        printf("%d ", holes[i]);
    for (int i = 0; i < 10; i++)
        printf("%d ", ranges[i]);
    printf("%zu %s %d %s\n", sizeof names / sizeof *names, names[0], names[1] == 0, names[2]);
    printf("%zu %s %c %d %c\n", sizeof matrix, matrix[0], matrix[1][0], matrix[1][1], matrix[2][2]);
    printf("%d %d %d %d %d\n", elided.p[0].x, elided.p[0].y, elided.p[1].x, elided.p[1].y, elided.z);
    printf("%d %d %d %d %d\n", partial.p[0].x, partial.p[0].y, partial.p[1].x, partial.p[1].y, partial.z);
    for (int i = 0; i < 8; i++)
        printf("%d ", deep[i / 4][i / 2 % 2][i % 2]);
    printf("\n%c %d %zu\n", exact[2], longer[5], sizeof braces);
    printf("%d %d %d %d %g %d %d\n", override.a, override.b, override.c, wrapped, from_int, from_float, from_pointer);

    union { struct { int a, b; }; double d; int c[3]; } shared = {.a = 1, .b = 2}, other = {.d = 1, .a = 3}, third = {.c[0] = 4, .c[2] = 6};
    union { int i; struct { char c, d; }; } fourth[2] = {{7}, {.i = -1, .d = 5}}, fifth = {.c = 1, .i = 256, .d = 3};
    printf("%d %d %d %d %d %d %d\n", shared.a, shared.b, other.a, other.b, third.c[0], third.c[1], third.c[2]);
    printf("%d %d %d %d\n", fourth[0].i, fourth[1].c, fourth[1].d, fifth.d);
    int x = 5, y = x + 1, z[] = {x, y, x * y};
    struct out local = {.in[1] = {next(), "q"}, .d = x / 2.0, .p = &y, .n = 10};
    show(&local);
    struct out copy = local, zero = {0}, list[2] = {local, [1].n = 9};
    copy.in[1].s[0] = 'r';
    show(&copy), show(&zero), show(&list[0]), show(&list[1]);
    struct in inner = {8, "in"};
    struct out with = {2, {inner, {next()}}, .d = 1};
    printf("%d %s %d %d %d\n", with.in[0].a, with.in[0].s, with.in[1].a, z[2], runs);
    for (int i = 0; i < 3; i++) {
        int fresh[4] = {i, i * 2};
        fresh[3] += 1;
        fresh[0] += fresh[3];
        printf("%d%d%d%d ", fresh[0], fresh[1], fresh[2], fresh[3]);
    }
    char local_text[8] = "hi", *pointer = "there", array_text[] = "sized";
    local_text[2] = '!';
    printf("%s %d %s %zu\n", local_text, local_text[7], pointer, sizeof array_text);
    int self = sizeof self;
    return self + runs;
}
