// Vsnprintf terminated.
// expect: safe or unknown
#include <assert.h>
#include <stdio.h>
#include <stdarg.h>
char b[8] = "a";
char c = 'c';
int say(const char *f, ...) {
    va_list a;
    va_start(a, f);
    int n = vsnprintf(b, 8, f, a);
    va_end(a);
    return n;
}
int main(void) {
    int n = say("x%d", 1);
    assert(n >= 0);
    if (n < 8) assert(b[n] == 0);
    else assert(b[7] == 0);
    assert(c == 'c');
    return 0;
}
