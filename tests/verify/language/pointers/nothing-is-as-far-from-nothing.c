// Nothing is as far from nothing.
// expect: safe
// check: memory
#include <assert.h>
int nondet_int(void);
static int store[4];
int main(void) {
    int *begin = 0, *end = 0;
    if (nondet_int()) {
        begin = store;
        end = store + 3;
    }
    assert(end - begin == 0 || end - begin == 3);
    return 0;
}
