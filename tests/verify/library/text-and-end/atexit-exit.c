// Atexit _exit.
// expect: safe
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>
void b(void) { assert(0); }
int main(void) {
    atexit(b);
    _exit(1);
}
