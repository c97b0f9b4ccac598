// The number that strcmp gives.
// expect: safe
// assumes: open
#include <string.h>
#include <assert.h>
int main(void) {
    assert(strcmp("a", "c") < 0);
    return 0;
}
