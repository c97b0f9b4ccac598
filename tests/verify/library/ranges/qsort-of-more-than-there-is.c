// Qsort of more than there is.
// expect: unsafe 8
// check: memory
#include <stdlib.h>
static int c(const void *a, const void *b) { return 0; }
int main(void) {
    int a[2] = {2, 1};
    qsort(a, 3, sizeof *a, c);
    return 0;
}
