// expect: safe
// check: memory

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
static int say(const char *f, ...) {
    va_list a, b;
    va_start(a, f);
    va_copy(b, a);
    vprintf(f, a);
    int first = va_arg(b, int);
    va_end(a);
    va_end(b);
    return first;
}
int main(void) { assert(say("%d %d\n", 3, 4) == 3); return 0; }
