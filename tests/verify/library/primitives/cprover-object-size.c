// Cprover object size.
// expect: safe or unknown
#include <assert.h>
int main(void) {
    int a[5];
    assert(__CPROVER_OBJECT_SIZE(a + 1) == 20);
    assert(__CPROVER_POINTER_OFFSET(a + 1) == 4);
    return 0;
}
