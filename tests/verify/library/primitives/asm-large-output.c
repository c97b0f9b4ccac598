// Asm large output.
// expect: unsafe 9
#include <assert.h>
struct s {
    char c[100];
} s;
int main(void) {
    __asm__("foo %0" : "=m"(s));
    assert(s.c[70] == 0);
    return 0;
}
