// Integers of other widths are converted.
// expect: safe
// assumes-not: another
#include <assert.h>
void *malloc(unsigned);
void free(void *);
void *memset(void *, int, int);
int main(void) {
    int *p = malloc(4);
    memset(p, 0, 4);
    assert(*p == 0);
    free(p);
    return 0;
}
