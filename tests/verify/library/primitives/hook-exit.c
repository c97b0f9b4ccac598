// Hook exit.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    void (*f)(int) = exit;
    f(1);
    assert(0);
    return 0;
}
