// May fail.
// expect: unsafe 8
// args: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    assert(p);
    return 0;
}
