// May fail realloc keeps.
// expect: safe or unknown
// args: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    if (!p) return 0;
    *p = 1;
    char *q = realloc(p, 2);
    if (!q) assert(*p == 1);
    else assert(*q == 1);
    return 0;
}
