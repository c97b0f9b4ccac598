// expect: unsafe 10
// check: memory
// fails: memory

#include <string.h>
#include <stdlib.h>
int main(void) {
    char *a = malloc(2), *b = malloc(3);
    a[0] = 1; a[1] = 2; b[0] = b[1] = b[2] = 2;
    int r = memcmp(a, b, 3);
    free(a); free(b);
    return r > 0;
}
