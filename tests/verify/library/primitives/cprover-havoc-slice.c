// Cprover havoc_slice.
// expect: unsafe 7
#include <assert.h>
int main(void) {
    int a[4] = {0};
    __CPROVER_havoc_slice(a, 8);
    assert(a[1] == 0);
    return 0;
}
