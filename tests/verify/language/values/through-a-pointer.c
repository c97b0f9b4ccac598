// Through a pointer.
// expect: safe
#include <assert.h>
struct s {
    int a[2];
};
void ext(struct s a);
int nondet_int(void);
static void own(struct s a) { a.a[0] = 7; }
int main(void) {
    struct s s = {{1, 2}};
    void (*f)(struct s) = nondet_int() ? ext : own;
    f(s);
    assert(s.a[0] == 1);
    return 0;
}
