// Cprover array_set ok.
// expect: safe
#include <assert.h>
int main(void) {
    int a[4] = {0};
    __CPROVER_array_set(a, 7);
    assert(a[0] == 7 && a[3] == 7);
    return 0;
}
