// Asm empty memory output.
// expect: safe
#include <assert.h>
int main(void) {
    int x = 4;
    __asm__ volatile("" : "=m"(x));
    assert(x == 4);
    return 0;
}
