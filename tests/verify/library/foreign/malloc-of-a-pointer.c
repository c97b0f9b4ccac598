// Malloc of a pointer.
// expect: unsafe 9
// assumes: malloc
#include <assert.h>
int malloc(int *);
int main(void) {
    int x = 1;
    malloc(&x);
    assert(x == 1);
    return 0;
}
