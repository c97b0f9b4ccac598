// Puts.
// expect: unsafe 12
// check: memory
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(3);
    if (!p) return 0;
    p[0] = 'a';
    p[1] = 'b';
    p[2] = 'c';
    puts(p);
    free(p);
    return 0;
}
