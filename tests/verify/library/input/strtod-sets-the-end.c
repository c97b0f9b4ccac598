// Strtod sets the end.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *e = 0;
    strtod("1x", &e);
    assert(e != 0);
    return 0;
}
