// Bsearch in null.
// expect: unsafe 8
// check: memory
#include <stdlib.h>
static int c(const void *a, const void *b) { return 0; }
int main(void) {
    int k = 1;
    return bsearch(&k, 0, 1, 4, c) != 0;
}
