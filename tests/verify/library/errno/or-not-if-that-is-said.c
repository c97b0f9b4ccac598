// Or not, if that is said.
// expect: safe
// args: --unknown-functions pure
#include <assert.h>
#include <errno.h>
int ext(int);
int main(void) {
    errno = 0;
    ext(1);
    assert(errno == 0);
    return 0;
}
