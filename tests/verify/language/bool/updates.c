// Updates.
// expect: safe
#include <assert.h>
extern _Bool b;
int main(void) {
    b |= 2;
    assert(b == 1);
    b--;
    assert(b == 0);
    b--;
    assert(b == 1);
    return 0;
}
