// Pure, and listed.
// expect: safe
// args: --unknown-functions pure
// assumes: changes
// assumes: nothing:
// assumes: free
#include <assert.h>
void free(int *, int);
int main(void) {
    int x = 1;
    free(&x, 1);
    assert(x == 1);
    return 0;
}
