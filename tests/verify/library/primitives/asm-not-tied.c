// Asm not tied.
// expect: unsafe 7
#include <assert.h>
int main(void) {
    int x = 4, y = 4;
    __asm__("" : "=r"(y) : "r"(x));
    assert(y == 4);
    return 0;
}
