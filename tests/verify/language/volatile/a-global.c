// A global.
// expect: safe
// assumes: volatile
// assumes: v
#include <assert.h>
volatile int v;
int main(void) {
    v = 1;
    int a = v;
    int b = v;
    assert(a == b);
    return 0;
}
