// Through a pointer to it.
// expect: unsafe 9
#include <assert.h>
int nondet_int(int *p);
int main(void) {
    int (*f)(int *) = nondet_int;
    int x = 1;
    f(&x);
    assert(x == 1);
    return 0;
}
