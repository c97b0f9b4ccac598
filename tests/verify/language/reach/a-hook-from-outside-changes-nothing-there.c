// A hook from outside changes nothing there.
// expect: safe
// args: --unknown-functions pure
#include <assert.h>
extern int (*hook)(void);
int g = 1;
int main(void) {
    hook();
    assert(g == 1);
    return 0;
}
