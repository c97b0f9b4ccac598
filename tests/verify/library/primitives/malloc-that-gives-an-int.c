// Malloc that gives an int.
// expect: safe or unknown
#include <assert.h>
int malloc();
int main(void) {
    int x = 1;
    malloc(3);
    assert(x == 1);
    return 0;
}
