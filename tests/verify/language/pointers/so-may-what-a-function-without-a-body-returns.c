// So may what a function without a body returns.
// expect: unsafe 8
#include <assert.h>
void (*get(void))(int *);
int main(void) {
    int x = 2;
    get()(&x);
    assert(x == 2);
    return 0;
}
