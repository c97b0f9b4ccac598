// Snprintf length.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[8];
    int n = snprintf(b, sizeof b, "%d", 42);
    assert(n == 2);
    assert(b[0] == '4' && b[1] == '2' && b[2] == 0);
    return 0;
}
