// In a proof without it.
// expect: safe
// assumes: volatile
#include <assert.h>
static volatile int status;
int main(void) {
    int x = 1;
    while (status) x = 1;
    assert(x == 1);
    return 0;
}
