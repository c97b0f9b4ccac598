// Errno.
// expect: unsafe 10
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
    char c;
    errno = 0;
    read(0, &c, 1);
    assert(errno == 0);
    return 0;
}
