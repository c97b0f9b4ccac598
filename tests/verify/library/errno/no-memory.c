// No memory.
// expect: unsafe 10
// args: --malloc-may-fail
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
int main(void) {
    errno = 0;
    char *p = malloc(4);
    if (!p) assert(errno == 0);
    free(p);
    return 0;
}
