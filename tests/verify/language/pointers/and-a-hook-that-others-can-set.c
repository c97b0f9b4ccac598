// And a hook that others can set.
// expect: unsafe 10
#include <assert.h>
typedef int (*cb)(int);
static int id(int x) { return x; }
cb hook = id;
void ext(void);
int main(void) {
    ext();
    assert(hook(3) == 3);
    return 0;
}
