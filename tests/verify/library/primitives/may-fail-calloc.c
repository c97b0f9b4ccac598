// May fail calloc.
// expect: unsafe 8
// args: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = calloc(1, 2);
    assert(p);
    return 0;
}
