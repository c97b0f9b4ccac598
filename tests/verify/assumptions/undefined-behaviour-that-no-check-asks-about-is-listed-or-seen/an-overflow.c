// An overflow.
// expect: safe
// assumes: wraps
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    assert(x + 1 != x);
    return 0;
}
