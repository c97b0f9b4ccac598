// Getenv content.
// expect: unsafe 7
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = getenv("HOME");
    if (p) assert(p[0] != '/');
    return 0;
}
