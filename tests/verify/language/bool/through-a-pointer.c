// Through a pointer.
// expect: safe
#include <assert.h>
_Bool ext(void);
int main(void) {
    _Bool (*f)(void) = ext;
    int n = f();
    assert(n <= 1);
    return 0;
}
