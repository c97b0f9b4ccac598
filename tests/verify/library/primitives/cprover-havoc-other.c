// Cprover havoc other.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 0, y = 1;
    __CPROVER_havoc_object(&x);
    assert(y == 1);
    return 0;
}
