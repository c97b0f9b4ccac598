// The order of comparisons.
// expect: safe
// assumes: qsort
#include <stdlib.h>
static int a[3] = {1, 3, 2};
static int c(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
int main(void) {
    qsort(a, 3, sizeof *a, c);
    return 0;
}
