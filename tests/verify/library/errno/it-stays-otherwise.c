// It stays otherwise.
// expect: safe
#include <assert.h>
#include <errno.h>
static int own(int x) { return x + 1; }
int main(void) {
    errno = 3;
    own(1);
    assert(errno == 3);
    return 0;
}
