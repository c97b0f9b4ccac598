// A word has no space in it.
// expect: safe
#include <stdio.h>
#include <assert.h>
int main(void) {
    char b[5];
    if (scanf("%4s", b) != 1) return 0;
    assert(b[0] != ' ' && b[1] != '\n');
    return 0;
}
