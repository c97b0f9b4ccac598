// A format in a variable.
// expect: safe
// check: memory
#include <assert.h>
#include <stdio.h>
#include <string.h>
static const char *fmt[] = {"%3d|%-3s|%c", "%5u%%%.2s%hhx"};
int main(void) {
    char b[16];
    int n = snprintf(b, sizeof b, fmt[0], 7, "abc", 0x141);
    assert(n == 9 && !strcmp(b, "  7|abc|A"));
    n = snprintf(b, sizeof b, fmt[1], 7, "abc", 0x141);
    assert(n == 10 && !strcmp(b, "    7%ab41"));
    return 0;
}
