// Scanf s content.
// expect: unsafe 8
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char b[10] = {0};
    if (scanf("%7s", b) == 1) { assert(b[0] != 'q'); }
    return 0;
}
