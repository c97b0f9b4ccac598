// Sprintf float.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[64];
    int n = snprintf(b, 64, "%.2f", 3.5);
    assert(n >= 4 && n <= 6);
    return 0;
}
