// It stays inside.
// expect: safe
// check: memory
#include <assert.h>
unsigned char nondet_uchar(void);
int a[4], b[4];
int main(void) {
    unsigned char n = nondet_uchar();
    if (n > 3) return 0;
    int *p = a;
    while (n--) p++;
    b[p - a] = 1;
    return b[2];
}
