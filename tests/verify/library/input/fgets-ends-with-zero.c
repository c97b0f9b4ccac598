// Fgets ends with zero.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[4] = {1, 1, 1, 1};
    if (fgets(b, 4, stdin)) assert(b[1] == 0 || b[2] == 0 || b[3] == 0);
    return 0;
}
