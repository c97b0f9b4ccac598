// Nobody has to ask whether they are.
// expect: unsafe 9
// args: --entry f
#include <assert.h>
int f(int *p, int *q) {
    if (p && q) {
        *p = 1;
        *q = 2;
        assert(*p == 1);
    }
    return 0;
}
