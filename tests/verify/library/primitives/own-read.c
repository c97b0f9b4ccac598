// Own read.
// expect: safe
#include <assert.h>
int read(int x) { return x; }
int main(void) {
    assert(read(3) == 3);
    return 0;
}
