// A format that a function is given.
// expect: safe
// check: memory
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
char nondet_char(void);
static int format(char *out, const char *fmt, ...) {
    char buf[64];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    memcpy(out, buf, n);
    out[n] = 0;
    return n;
}
int main(void) {
    char out[16];
    char c = nondet_char();
    int n = c < 32 ? format(out, "\\x%02x", (unsigned char)c) : format(out, "%c", c);
    return n;
}
