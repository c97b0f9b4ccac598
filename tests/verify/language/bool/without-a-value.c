// Without a value.
// expect: safe
#include <assert.h>
int main(void) {
    _Bool b;
    int n = b;
    assert(n <= 1);
    return 0;
}
