// An input that is given a pointer writes there.
// expect: unsafe 8
#include <assert.h>
int nondet_int(int *p);
int main(void) {
    int x = 1;
    nondet_int(&x);
    assert(x == 1);
    return 0;
}
