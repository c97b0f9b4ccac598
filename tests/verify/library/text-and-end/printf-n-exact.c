// Printf n exact.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    printf("abc%d%n\n", 17, &n);
    assert(n == 5);
    return 0;
}
