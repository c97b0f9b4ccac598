// Strtod unknown.
// expect: unsafe 8
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *e = 0;
    double d = strtod("1x", &e);
    assert(e == 0);
    return 0;
}
