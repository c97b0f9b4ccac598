// Atexit from handler.
// expect: unsafe 5
#include <assert.h>
#include <stdlib.h>
void c(void) { assert(0); }
void b(void) { atexit(c); }
int main(void) {
    atexit(b);
    return 0;
}
