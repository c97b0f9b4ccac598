// Cprover overflow.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 2147483647;
    assert(__CPROVER_overflow_plus(x, 1));
    assert(!__CPROVER_overflow_plus(x, 0L + 1));
    assert(__CPROVER_overflow_unary_minus(-x - 1));
    assert(__CPROVER_overflow_mult(x, 2));
    assert(__CPROVER_overflow_minus(-2, x));
    assert(__CPROVER_overflow_shl(1, 31));
    assert(!__CPROVER_overflow_shl(1, 30));
    return 0;
}
