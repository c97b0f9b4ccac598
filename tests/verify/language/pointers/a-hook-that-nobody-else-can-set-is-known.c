// A hook that nobody else can set is known.
// expect: safe
#include <assert.h>
typedef int (*cb)(int);
static int id(int x) { return x; }
static cb hook = id;
int main(void) {
    assert(hook(3) == 3);
    return 0;
}
