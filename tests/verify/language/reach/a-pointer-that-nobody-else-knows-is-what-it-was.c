// A pointer that nobody else knows is what it was.
// expect: safe
#include <assert.h>
static int x;
static int *at = &x;
void ext(void);
int main(void) {
    ext();
    *at = 1;
    assert(x == 1);
    return 0;
}
