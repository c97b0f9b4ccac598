// Addresses as numbers.
// expect: safe
// assumes: addresses
#include <assert.h>
#include <stdint.h>
int main(void) {
    char b[4];
    uintptr_t n = (uintptr_t)b;
    assert(n);
    return 0;
}
