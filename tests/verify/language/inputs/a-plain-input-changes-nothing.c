// A plain input changes nothing.
// expect: safe
// assumes-not: nondet_int
#include <assert.h>
int g;
int nondet_int(void);
int main(void) {
    g = 1;
    nondet_int();
    assert(g == 1);
    return 0;
}
