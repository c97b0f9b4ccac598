// Realloc of nothing.
// expect: safe
// check: memory,leak
#include <stdlib.h>
int main(void) {
    char *p = realloc(0, 3);
    if (!p) return 0;
    p[2] = 1;
    p = realloc(p, 9);
    if (!p) return 0;
    p[8] = p[2];
    free(p);
    return 0;
}
