// Cprover float.
// expect: safe
#include <assert.h>
int main(void) {
    double d = 1.5;
    assert(!__CPROVER_isnand(d));
    assert(!__CPROVER_isinfd(d));
    assert(__CPROVER_isnormald(d));
    assert(!__CPROVER_signd(d));
    return 0;
}
