// expect: safe
// assumes: lead to objects that still exist

#include <assert.h>
#include <stdlib.h>
int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); assert(p != q); return 0; }
