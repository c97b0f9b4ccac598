/* Where C leaves the order open, gcc evaluates left operands first, and places before values. */
#include <stdio.h>
static int g = 1, a[4] = {10, 20, 30, 40}, i, b[4];
static int *p = a;
static int bump(void) { g *= 3; i++; p++; return g; }
struct s { int x, y; };
static struct s list[3], *at = list;
static struct s make(void) { struct s v = { g, i }; at++; return v; }
int main(void)
{
    printf("%d\n", g + bump());
    printf("%d\n", bump() + g);
    printf("%d\n", (g < bump()) + 10 * (g - bump()));
    i = 0;
    p = a;
    printf("%d\n", a[i] + bump());
    printf("%d\n", *p + bump());
    i = 0;
    b[i] = bump();
    b[i] = bump();
    printf("%d %d %d\n", b[0], b[1], b[2]);
    p = b;
    *p = bump();
    printf("%d %d\n", b[0], b[1]);
    g = 2;
    g += bump();
    printf("%d\n", g);
    *at = make();
    *at = make();
    printf("%d %d %d\n", list[0].x, list[1].x, list[2].x);
    return 0;
}
