// A stream is not null.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    assert(stdin && stdout != stderr);
    return 0;
}
