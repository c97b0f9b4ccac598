// Cprover own.
// expect: unsafe 4
#include <assert.h>
void __CPROVER_foo(int x) { assert(x); }
int main(void) {
    __CPROVER_foo(0);
    return 0;
}
