// Asm tied.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 4, y;
    __asm__("" : "=r"(y) : "0"(x));
    assert(y == 4);
    return 0;
}
