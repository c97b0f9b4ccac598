// A root.
// expect: unsafe 11
#include <assert.h>
#include <errno.h>
#include <math.h>
int main(void) {
    volatile double x = -1;
    errno = 0;
    double y = sqrt(x);
    (void)y;
    assert(errno == 0);
    return 0;
}
