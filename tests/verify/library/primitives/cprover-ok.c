// Cprover ok.
// expect: safe or unknown
#include <assert.h>
int main(void) {
    int a[2];
    assert(__CPROVER_r_ok(a, 8));
    assert(!__CPROVER_w_ok(a, 9));
    assert(__CPROVER_rw_ok(a));
    return 0;
}
