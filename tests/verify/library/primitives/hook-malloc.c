// Hook malloc.
// expect: safe
#include <assert.h>
#include <stdlib.h>
static void *(*alloc)(size_t) = malloc;
int main(void) {
    char *p = alloc(4);
    p[0] = 1;
    assert(p[0] == 1);
    return 0;
}
