// Quick_exit not atexit.
// expect: safe
#include <assert.h>
#include <stdlib.h>
void b(void) { assert(0); }
int main(void) {
    atexit(b);
    quick_exit(1);
}
