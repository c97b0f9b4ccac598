// Cprover havoc interior.
// expect: unsafe 7
#include <assert.h>
int main(void) {
    int a[4] = {0};
    __CPROVER_havoc_object(&a[2]);
    assert(a[0] == 0);
    return 0;
}
