// A division, strict.
// expect: unknown
// args: --undefined strict
// assumes: division
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int x = nondet_int();
    int y = 10 / x;
    assert(y <= 10);
    return 0;
}
