// A format from outside reads texts.
// expect: safe
// undefined: unsaid
#include <assert.h>
#include <stdio.h>
extern const char format[8];
int main(void) {
    int n = 0;
    printf(format, n);
    assert(n == 0);
    return 0;
}
