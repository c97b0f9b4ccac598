// A violation is executed.
// expect: unsafe 8
// assumes-not: wraps
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    assert(x + 1 != 5);
    return 0;
}
