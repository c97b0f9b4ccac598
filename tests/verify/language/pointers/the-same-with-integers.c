// The same with integers.
// expect: unsafe 13
#include <assert.h>
#include <stdint.h>
unsigned char nondet_uchar(void);
char a[8], b[8];
int main(void) {
    unsigned char n = nondet_uchar();
    if (n > 4) return 0;
    char *p = a;
    while (n--) p++;
    b[(uintptr_t)p - (uintptr_t)a] = 1;
    assert(b[2] == 0);
    return 0;
}
