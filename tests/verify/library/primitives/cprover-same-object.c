// Cprover same object.
// expect: safe or unknown
#include <assert.h>
int main(void) {
    int a[5], b;
    assert(__CPROVER_same_object(a, a + 3));
    assert(!__CPROVER_same_object(a, &b));
    return 0;
}
