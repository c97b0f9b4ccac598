// Vsscanf.
// expect: unsafe 16
#include <assert.h>
#include <stdio.h>
#include <stdarg.h>
int my(const char *s, const char *f, ...) {
    va_list a;
    va_start(a, f);
    int r = vsscanf(s, f, a);
    va_end(a);
    return r;
}
int main(void) {
    int x = 3;
    my("12", "%d", &x);
    assert(x == 3);
    return 0;
}
