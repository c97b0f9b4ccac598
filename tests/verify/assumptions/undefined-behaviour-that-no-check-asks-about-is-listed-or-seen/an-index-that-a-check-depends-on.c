// An index that a check depends on.
// expect: safe or unknown
// says: undefined
// assumes: memory
#include <assert.h>
extern int nondet_int(void);
int main(void) {
    int a[2] = {0, 0}, i = nondet_int();
    assert(a[i] == 0);
    return 0;
}
