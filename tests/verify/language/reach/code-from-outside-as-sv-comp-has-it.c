// Code from outside, as SV-COMP has it.
// expect: unsafe 9
// args: --unknown-functions pure
#include <assert.h>
typedef int (*function)(void);
function get(void);
int main(void) {
    function f = get();
    assert(f() == 0);
    return 0;
}
