// Asm tied name.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 4, y;
    __asm__("" : [o] "=r"(y) : "[o]"(x));
    assert(y == 4);
    return 0;
}
