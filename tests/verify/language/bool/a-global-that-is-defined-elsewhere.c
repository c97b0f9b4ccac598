// A global that is defined elsewhere.
// expect: safe
#include <assert.h>
extern _Bool b;
int main(void) {
    assert(b == 0 || b == 1);
    return 0;
}
