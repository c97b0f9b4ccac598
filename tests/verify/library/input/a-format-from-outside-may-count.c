// A format from outside may count.
// expect: unsafe 9
#include <assert.h>
#include <stdio.h>
extern const char format[8];
int main(void) {
    int n = 0;
    printf(format, &n);
    assert(n == 0);
    return 0;
}
