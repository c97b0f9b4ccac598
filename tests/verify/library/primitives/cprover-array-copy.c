// Cprover array_copy.
// expect: safe or unknown
#include <assert.h>
int main(void) {
    int a[4] = {1, 2, 3, 4}, b[4];
    __CPROVER_array_copy(b, a);
    assert(b[3] == 4);
    assert(__CPROVER_array_equal(a, b));
    return 0;
}
