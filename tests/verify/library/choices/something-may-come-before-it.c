// Something may come before it.
// expect: unsafe 8
#include <stdio.h>
#include <assert.h>
int main(void) {
    char b[4];
    if (!fgets(b, 4, stdin)) return 0;
    assert(b[1] != '\n');
    return 0;
}
