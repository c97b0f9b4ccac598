// Cprover array_replace.
// expect: safe or unknown
#include <assert.h>
int main(void) {
    int a[2] = {1, 2}, b[4] = {0};
    __CPROVER_array_replace(b, a);
    assert(b[1] == 2 && b[2] == 0);
    return 0;
}
