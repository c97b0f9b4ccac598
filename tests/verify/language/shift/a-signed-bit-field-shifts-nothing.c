// A signed bit-field shifts nothing.
// expect: safe
// args: --undefined strict
// assumes-not: shifted
#include <assert.h>
int nondet_int(void);
int main(void) {
    struct {
        signed a : 3;
    } s;
    s.a = nondet_int() & 7;
    assert(s.a < 4 && s.a >= -4);
    return 0;
}
