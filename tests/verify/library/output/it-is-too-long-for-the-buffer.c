// It is too long for the buffer.
// expect: unsafe 9
// check: memory
#include <stdarg.h>
#include <stdio.h>
static void format(char *out, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsprintf(out, fmt, ap);
    va_end(ap);
}
int main(void) {
    char out[8];
    format(out, "%d-%s", 12345, "xyz");
    return 0;
}
