// Asm empty memory clobber.
// expect: safe
#include <assert.h>
int g = 3;
int main(void) {
    __asm__ volatile("" ::: "memory");
    assert(g == 3);
    return 0;
}
