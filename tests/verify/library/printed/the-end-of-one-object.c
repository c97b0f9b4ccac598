// expect: safe
// assumes: lead to objects that still exist

#include <assert.h>
int a[2], b[2];
int main(void) { assert(a + 2 != b); return 0; }
