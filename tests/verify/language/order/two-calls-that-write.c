// Two calls that write.
// expect: safe
// assumes: left
#include <assert.h>
int g;
static int f(void) {
    g = 1;
    return 0;
}
static int h(void) {
    g = 2;
    return 0;
}
int main(void) {
    int x = f() + h();
    assert(g == 2);
    return x;
}
