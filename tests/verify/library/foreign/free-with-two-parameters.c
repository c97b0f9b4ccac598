// Free with two parameters.
// expect: unsafe 9
// assumes: free
#include <assert.h>
void free(int *, int);
int main(void) {
    int x = 1;
    free(&x, 1);
    assert(x == 1);
    return 0;
}
