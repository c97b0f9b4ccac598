// Read of another type.
// expect: safe
// engine: bmc
#include <assert.h>
int read(int);
int main(void) {
    int x = 1;
    read(3);
    assert(x == 1);
    return 0;
}
