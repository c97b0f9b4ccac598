// Qsort of nothing.
// expect: safe
// check: memory
#include <stdlib.h>
static int c(const void *a, const void *b) { return 0; }
int main(void) {
    qsort(0, 0, 4, c);
    return 0;
}
