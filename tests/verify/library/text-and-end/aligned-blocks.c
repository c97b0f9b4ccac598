// Aligned blocks.
// expect: safe
// check: memory,leak
#include <stdlib.h>
#include <string.h>
int main(void) {
    int *p = aligned_alloc(32, 64);
    if (p) {
        p[0] = 1;
        p[15] = 2;
    }
    free(p);
    void *q;
    if (posix_memalign(&q, 64, 100)) return 1;
    memset(q, 0, 100);
    free(q);
    return 0;
}
