// Realloc to nothing frees.
// expect: unsafe 10
// check: memory
// says: freed
#include <stdlib.h>
int main(void) {
    void *p = malloc(1);
    if (!p) return 0;
    void *q = realloc(p, 0);
    if (!q) free(p);
    else free(q);
    return 0;
}
