// May not fail.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    assert(p);
    return 0;
}
