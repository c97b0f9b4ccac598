// Hook free.
// expect: unsafe 23
// check: memory
#include <stdlib.h>
int main(void) {
    void (*f)(void *) = &free;
    char *p = malloc(3);
    f(p);
    f(p);
    return 0;
}
