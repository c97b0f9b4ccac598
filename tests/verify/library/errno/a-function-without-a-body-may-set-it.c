// A function without a body may set it.
// expect: unsafe 8
#include <assert.h>
#include <errno.h>
int ext(int);
int main(void) {
    errno = 0;
    if (ext(1) < 0) assert(errno == 0);
    return 0;
}
