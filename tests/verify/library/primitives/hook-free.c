// Hook free.
// expect: unsafe 9
// check: memory
#include <stdlib.h>
int main(void) {
    void (*f)(void *) = &free;
    char *p = malloc(3);
    f(p);
    f(p);
    return 0;
}
