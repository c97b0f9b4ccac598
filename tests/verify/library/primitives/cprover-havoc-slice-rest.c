// Cprover havoc_slice rest.
// expect: safe
#include <assert.h>
int main(void) {
    int a[4] = {0};
    __CPROVER_havoc_slice(a, 8);
    assert(a[2] == 0);
    return 0;
}
