// Destructor exit.
// expect: unsafe 5
#include <assert.h>
#include <stdlib.h>
__attribute__((destructor)) static void late(void) { assert(0); }
int main(void) { exit(0); }
