// A parameter.
// expect: safe
// args: --entry f
#include <assert.h>
void f(_Bool b, const _Bool *p) {
    int n = b;
    assert(n <= 1);
    if (p) assert(*p == 0 || *p == 1);
}
