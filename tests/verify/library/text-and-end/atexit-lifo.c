// Atexit lifo.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int x;
void a(void) { assert(x == 1); }
void b(void) { x = 1; }
int main(void) {
    atexit(a);
    atexit(b);
    return 0;
}
