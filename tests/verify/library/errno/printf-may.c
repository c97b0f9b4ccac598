// Printf may.
// expect: unsafe 9
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
    errno = 0;
    printf("%d", 1);
    assert(errno == 0);
    return 0;
}
