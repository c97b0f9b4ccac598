// Puts of freed memory.
// expect: unsafe 10
// check: memory
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(4);
    p[0] = 0;
    free(p);
    puts(p);
    return 0;
}
