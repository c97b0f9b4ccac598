// Qsort.
// expect: safe
// check: memory
#include <stdlib.h>
static int c(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    int a[2] = {2, 1};
    qsort(a, 2, sizeof *a, c);
    return 0;
}
