// Asm swap ties.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 4, y = 5;
    __asm__("" : "=r"(x), "=r"(y) : "1"(x), "0"(y));
    assert(x == 5 && y == 4);
    return 0;
}
