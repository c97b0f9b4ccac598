// The address of a weak object.
// expect: safe
// assumes: weak
#include <assert.h>
extern int w __attribute__((weak));
int main(void) {
    assert(&w != 0);
    return 0;
}
