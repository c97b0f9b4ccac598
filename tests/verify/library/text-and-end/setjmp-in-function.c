// Setjmp in function.
// expect: unknown
#include <assert.h>
#include <setjmp.h>
jmp_buf b;
int x;
int f(void) {
    if (setjmp(b)) x = 1;
    else longjmp(b, 1);
    return 0;
}
int main(void) {
    f();
    assert(x == 0);
    return 0;
}
