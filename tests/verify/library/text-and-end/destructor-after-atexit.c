// Destructor after atexit.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int x;
__attribute__((destructor)) static void late(void) { assert(x == 1); }
void h(void) { x = 1; }
int main(void) {
    atexit(h);
    exit(0);
}
