// What it counts.
// expect: safe
#include <assert.h>
#include <stdio.h>
static const char *fmt = "ab%nc%ld";
int main(void) {
    char b[16];
    int n = 0;
    snprintf(b, sizeof b, fmt, &n, -5l);
    assert(n == 2 && b[3] == '-' && b[4] == '5' && b[5] == 0);
    return 0;
}
