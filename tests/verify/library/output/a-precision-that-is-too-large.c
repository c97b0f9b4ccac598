// A precision that is too large.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char a[2] = {'a', 'b'};
    fprintf(stderr, "%*d %.*s\n", 3, 1, 3, a);
    return 0;
}
