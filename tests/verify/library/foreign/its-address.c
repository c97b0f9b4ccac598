// Its address.
// expect: unsafe 9
#include <assert.h>
void free(int *, int);
int main(void) {
    void (*f)(int *, int) = free;
    int x = 1;
    f(&x, 1);
    assert(x == 1);
    return 0;
}
