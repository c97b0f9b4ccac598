// Atexit lifo wrong.
// expect: unsafe 7
#include <assert.h>
#include <stdlib.h>
int x;
void a(void) { x = 1; }
void b(void) { assert(x == 1); }
int main(void) {
    atexit(a);
    atexit(b);
    return 0;
}
