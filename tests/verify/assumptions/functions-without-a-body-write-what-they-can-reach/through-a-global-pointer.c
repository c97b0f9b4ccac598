// Through a global pointer.
// expect: unsafe 10
#include <assert.h>
int *shared;
void ext(void);
int main(void) {
    int x = 0;
    shared = &x;
    ext();
    assert(x == 0);
    return 0;
}
