// Scanf c.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[2] = "a";
    scanf(" %c", b);
    assert(b[1] == 0);
    return 0;
}
