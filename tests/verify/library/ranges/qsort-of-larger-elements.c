// Qsort of larger elements.
// expect: unsafe 8
// check: memory
#include <stdlib.h>
static int c(const void *a, const void *b) { return 0; }
int main(void) {
    int a[1] = {1};
    qsort(a, 1, 8, c);
    return 0;
}
