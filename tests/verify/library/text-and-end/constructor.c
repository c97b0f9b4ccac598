// Constructor.
// expect: unsafe 6
#include <assert.h>
int x;
__attribute__((constructor)) static void first(void) { x = 1; }
int main(void) { assert(x == 0); }
