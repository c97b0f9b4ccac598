// A block.
// expect: safe
// check: memory,leak
#define _GNU_SOURCE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static char *make(const char *fmt, ...) {
    char *s;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return n < 0 ? 0 : s;
}
int main(void) {
    char *s = make("%s=%i", "k", 42);
    assert(s && s[0] == 'k' && s[3] == '2' && s[4] == 0);
    free(s);
    return 0;
}
