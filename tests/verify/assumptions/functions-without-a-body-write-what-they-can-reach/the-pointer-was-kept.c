// The pointer was kept.
// expect: unsafe 11
#include <assert.h>
void keep(int *p);
void step(void);
int main(void) {
    int x = 0;
    keep(&x);
    x = 1;
    step();
    assert(x == 1);
    return 0;
}
