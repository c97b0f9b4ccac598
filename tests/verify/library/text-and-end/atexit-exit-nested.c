// Atexit exit nested.
// expect: unsafe 5
#include <assert.h>
#include <stdlib.h>
void b(void) { assert(0); }
static void f(int n) {
    if (n == 0) exit(1);
    f(n - 1);
}
int main(void) {
    atexit(b);
    f(3);
    return 0;
}
