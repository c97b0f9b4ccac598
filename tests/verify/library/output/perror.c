// Perror.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[1] = {'x'};
    perror(b);
    return 0;
}
