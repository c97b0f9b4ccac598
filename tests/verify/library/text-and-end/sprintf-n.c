// Sprintf n.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[8];
    int n = 0;
    sprintf(b, "abc%nd", &n);
    assert(n == 3);
    return 0;
}
