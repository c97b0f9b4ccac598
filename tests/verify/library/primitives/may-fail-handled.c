// May fail handled.
// expect: safe
// args: --malloc-may-fail
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    if (p) {
        *p = 1;
        assert(*p == 1);
    }
    return 0;
}
