// No argument.
// expect: unsafe 8
// check: memory
#include <stdarg.h>
static int f(int n, ...) {
    va_list a;
    va_start(a, n);
    int s = va_arg(a, int);
    va_end(a);
    return s;
}
int main(void) { return f(3); }
