// Setjmp.
// expect: unknown
#include <assert.h>
#include <setjmp.h>
jmp_buf b;
int x;
int main(void) {
    if (setjmp(b)) assert(0);
    else longjmp(b, 1);
    return 0;
}
