// Quick_exit.
// expect: unsafe 5
#include <assert.h>
#include <stdlib.h>
void b(void) { assert(0); }
int main(void) {
    at_quick_exit(b);
    quick_exit(1);
}
