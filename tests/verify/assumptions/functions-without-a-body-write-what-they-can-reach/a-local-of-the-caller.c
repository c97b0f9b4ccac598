// A local of the caller.
// expect: unsafe 9
#include <assert.h>
void ext(int *p);
static void callee(int *p) { ext(p); }
int main(void) {
    int x = 0;
    callee(&x);
    assert(x == 0);
    return 0;
}
