// A jump out of functions.
// expect: unknown
// says: setjmp
#include <setjmp.h>
jmp_buf b;
int main(void) { return setjmp(b); }
