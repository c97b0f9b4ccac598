// Cprover dynamic.
// expect: safe or unknown
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int a;
    char *p = malloc(3);
    assert(!__CPROVER_DYNAMIC_OBJECT(&a));
    assert(__CPROVER_DYNAMIC_OBJECT(p + 1));
    return 0;
}
