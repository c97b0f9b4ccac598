// Asm instruction output.
// expect: unsafe 7
#include <assert.h>
int main(void) {
    int x = 4;
    __asm__("incl %0" : "+r"(x));
    assert(x == 4);
    return 0;
}
