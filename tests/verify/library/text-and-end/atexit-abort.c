// Atexit abort.
// expect: safe
#include <assert.h>
#include <stdlib.h>
void b(void) { assert(0); }
int main(void) {
    atexit(b);
    abort();
}
