// May fail strdup.
// expect: unsafe 8
// args: --malloc-may-fail
#include <assert.h>
#include <string.h>
int main(void) {
    char *p = strdup("a");
    assert(p);
    return 0;
}
