// Those that differ are apart.
// expect: safe
// args: --entry f
#include <assert.h>
int f(int *p, int *q) {
    if (p && q && p != q) {
        *p = 1;
        *q = 2;
        assert(*p == 1);
    }
    return 0;
}
