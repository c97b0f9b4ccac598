// And leaks nothing.
// expect: safe
// check: memory,leak
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    p = realloc(p, 0);
    return p != 0;
}
