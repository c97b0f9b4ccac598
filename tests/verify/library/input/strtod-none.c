// Strtod none.
// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char s[] = "abc";
    char *e = 0;
    double d = strtod(s, &e);
    assert(e == s && d == 0);
    return 0;
}
