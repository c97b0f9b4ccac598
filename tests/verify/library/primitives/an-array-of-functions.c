// An array of functions.
// expect: unsafe 11
#include <assert.h>
#include <stdlib.h>
static void (*table[2])(void *) = {free, free};
static void *(*make)(size_t) = &malloc;
int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = make(4);
    *p = __VERIFIER_nondet_int();
    assert(*p != 5);
    table[0](p);
    return 0;
}
