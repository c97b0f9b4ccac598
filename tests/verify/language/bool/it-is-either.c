// It is either.
// expect: unsafe 6
#include <assert.h>
extern _Bool b;
int main(void) {
    assert(b == 0);
    return 0;
}
