// A pointer to it.
// expect: unsafe 11
#include <assert.h>
void ext(int *p);
int nondet_int(void);
static void own(int *p) { *p = 0; }
int main(void) {
    void (*f)(int *) = nondet_int() ? ext : own;
    int x = 0;
    f(&x);
    assert(x == 0);
    return 0;
}
