// Arguments.
// expect: safe
// assumes: left
#include <assert.h>
int g;
static int f(void) { return ++g; }
static int k(int a, int b) { return a - b; }
int main(void) {
    assert(k(f(), f()) == -1);
    return 0;
}
