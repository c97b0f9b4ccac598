// A format that is no literal.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[2] = {'x', 'x'};
    printf(b);
    return 0;
}
