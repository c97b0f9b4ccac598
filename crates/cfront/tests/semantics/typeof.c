/* typeof, __auto_type, types compatible, choose_expr, constant_p, expect, offsetof. */
#include <stddef.h>
#include <stdio.h>

struct s { int a; char b[3]; struct { double d; } in; };
static int calls;
static int f(void) { return ++calls; }
typedef __typeof__(f) function;
static function another;
static int another(void) { return 7; }

#define SAME(a, b) __builtin_types_compatible_p(__typeof__(a), __typeof__(b))
#define LIKELY(x) __builtin_expect(!!(x), 1)

int main(void)
{
    int x = 5;
    __typeof__(x) y = 6;
    typeof(x + 1.0) d = 2.5;
    __typeof__(f()) z = 3;
    __typeof__(&x) p = &y;
    __typeof__(*p) w = *p;
    __typeof__(int[3]) array = {1, 2, 3};
    __typeof__(array) copy;
    __typeof__(array[0]) *q = array;
    __typeof__(char *) s1 = "one", s2 = "two";
    __typeof__(((struct s *)0)->b) bytes = {1, 2, 3};
    for (int i = 0; i < 3; i++)
        copy[i] = array[i] * 2;
    printf("%d %g %d %d %d %d %d %s %s %d\n", y, d, z, *p, w, copy[2], q[1], s1, s2, bytes[2]);
    printf("%d %zu %zu\n", calls, sizeof(__typeof__(f())), sizeof bytes);
    __auto_type a = x * 2L;
    __auto_type b = &array[1];
    printf("%ld %d %zu\n", a, *b, sizeof a);
    const int ci = 1;
    __typeof__(ci) cj = 2;
    printf("%d %d %d %d\n", SAME(x, y), SAME(x, a), SAME(array, int[3]), SAME(ci, x));
    printf("%d\n", __builtin_choose_expr(sizeof(long) == 8, 1, (f(), 2)));
    printf("%d %d\n", __builtin_constant_p(3 * 4), __builtin_choose_expr(1, "text", 0)[1]);
    if (LIKELY(x > 3) && __builtin_expect(y, 0))
        printf("likely\n");
    if (__builtin_expect(x == 4, 0))
        __builtin_unreachable();
    printf("%zu %zu %zu\n", offsetof(struct s, b), offsetof(struct s, b[2]), __builtin_offsetof(struct s, in.d));
    __typeof__(struct s) local = {.in.d = 1.5}, *pl = &local;
    __typeof__(pl->in) inner = pl->in;
    function *fp = another;
    __extension__ long long ll = 1;
    printf("%g %d %lld\n", inner.d, fp(), ll);
    int n = 4;
    __typeof__(int[n]) vla;
    n = 9;
    return sizeof vla + cj + sizeof(__typeof__(0 ? (char)1 : (short)2));
}
