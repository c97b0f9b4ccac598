// Asm fence.
// expect: safe
#include <assert.h>
int g = 3;
int main(void) {
    __asm__ volatile("mfence" ::: "memory");
    assert(g == 3);
    return 0;
}
