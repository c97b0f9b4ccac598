// Vsnprintf.
// expect: unsafe 15
#include <assert.h>
#include <stdio.h>
#include <stdarg.h>
char b[8] = "a";
void say(const char *f, ...) {
    va_list a;
    va_start(a, f);
    vsnprintf(b, 8, f, a);
    va_end(a);
}
int main(void) {
    say("x%d", 1);
    assert(b[0] == 'a');
    return 0;
}
