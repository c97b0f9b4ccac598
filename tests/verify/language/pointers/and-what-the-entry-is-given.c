// And what the entry is given.
// expect: unsafe 7
// args: --entry run
#include <assert.h>
int run(int (*f)(int)) {
    int x = f(2);
    assert(x == 2);
    return 0;
}
