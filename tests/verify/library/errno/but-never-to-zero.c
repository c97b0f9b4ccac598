// But never to zero.
// expect: safe
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
    errno = 3;
    printf("%d", 1);
    assert(errno != 0);
    return 0;
}
