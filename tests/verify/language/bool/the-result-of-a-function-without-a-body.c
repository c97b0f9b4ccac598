// The result of a function without a body.
// expect: safe
#include <assert.h>
_Bool ext(void);
int main(void) {
    _Bool b = ext();
    int n = ext();
    assert(b <= 1 && n <= 1 && ext() <= 1);
    return 0;
}
