// An index into the middle that has three bits.
// expect: safe
// check: memory
#include <assert.h>
unsigned nondet_uint(void);
int main(void) {
    char a[16];
    for (int i = 0; i < 16; i++) a[i] = (char)i;
    unsigned x = nondet_uint();
    if (x > 7) return 0;
    char *p = a + 6;
    p[x] = 1;
    assert(a[5] == 5 && a[14] == 14 && p[x] == 1);
    return 0;
}
