// Printf, which has no model.
// expect: unsafe 9
// assumes: printf
#include <assert.h>
void printf(int *);
int main(void) {
    int x = 1;
    printf(&x);
    assert(x == 1);
    return 0;
}
