// A pointer that others may change may lead elsewhere.
// expect: unsafe 11
#include <assert.h>
int x;
int *at = &x;
void ext(void);
int main(void) {
    ext();
    x = 0;
    *at = 1;
    assert(x == 1);
    return 0;
}
