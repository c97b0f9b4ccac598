// Own read with pointer.
// expect: safe
#include <assert.h>
long read(int f, void *p, unsigned long n) { return 0; }
int main(void) {
    int x = 1;
    read(0, &x, 4);
    assert(x == 1);
    return 0;
}
