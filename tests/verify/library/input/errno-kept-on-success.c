// Errno kept on success.
// expect: safe
#include <assert.h>
#include <errno.h>
#include <unistd.h>
int main(void) {
    char c;
    errno = 0;
    if (read(0, &c, 1) >= 0) assert(errno == 0);
    return 0;
}
