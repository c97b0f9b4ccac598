// A struct.
// expect: safe
// check: memory
#include <stdarg.h>
struct p {
    int x[8];
};
static int f(int n, ...) {
    va_list a;
    va_start(a, n);
    struct p s = va_arg(a, struct p);
    va_end(a);
    return s.x[7];
}
int main(void) {
    struct p s = {{0}};
    return f(1, s);
}
