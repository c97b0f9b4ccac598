// It may be shorter.
// expect: unsafe 8
#include <stdio.h>
#include <assert.h>
int main(void) {
    char b[5];
    if (scanf("%4s", b) != 1) return 0;
    assert(b[1] != 0);
    return 0;
}
