// It returns anything.
// expect: unsafe 7
#include <assert.h>
int nondet_int(int *p);
int main(void) {
    int x = 1;
    assert(nondet_int(&x) == 1);
    return 0;
}
