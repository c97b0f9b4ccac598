// One too few.
// expect: unsafe 9
// check: memory
#include <stdarg.h>
static int f(int n, ...) {
    va_list a;
    va_start(a, n);
    int s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, int);
    va_end(a);
    return s;
}
int main(void) { return f(3, 1, 2); }
