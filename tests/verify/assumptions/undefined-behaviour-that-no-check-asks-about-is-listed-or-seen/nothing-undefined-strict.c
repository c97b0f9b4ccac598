// Nothing undefined, strict.
// expect: safe
// args: --undefined strict
// assumes-not: wraps
#include <assert.h>
extern unsigned nondet_uint(void);
int main(void) {
    unsigned x = nondet_uint() % 8;
    assert(x < 8);
    return 0;
}
