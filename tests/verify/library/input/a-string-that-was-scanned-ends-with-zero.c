// A string that was scanned ends with zero.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[4] = {1, 1, 1, 1};
    if (scanf("%2s", b) == 1) assert(b[0] != 0 && (b[1] == 0 || b[2] == 0));
    assert(b[3] == 1);
    return 0;
}
