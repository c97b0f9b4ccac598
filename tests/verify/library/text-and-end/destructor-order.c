// Destructor order.
// expect: safe
#include <assert.h>
int x;
__attribute__((destructor(200))) void late(void) { assert(x == 1); }
__attribute__((destructor)) void early(void) { x = 1; }
int main(void) { return 0; }
