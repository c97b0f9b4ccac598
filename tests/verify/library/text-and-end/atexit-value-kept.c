// Atexit value kept.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int g = 1;
void b(void) {
    g = 2;
    assert(g == 2);
}
int main(void) {
    atexit(b);
    return g;
}
