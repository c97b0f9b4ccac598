// The same on 32 bits.
// expect: unsafe 13
// args: -m32
#include <assert.h>
unsigned char nondet_uchar(void);
char a[8], b[8];
int main(void) {
    unsigned char n = nondet_uchar();
    if (n > 4) return 0;
    char *p = a;
    while (n--) p++;
    b[p - a] = 1;
    assert(b[2] == 0);
    return 0;
}
