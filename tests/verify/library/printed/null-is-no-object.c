// expect: safe
// check: memory
// assumes-not: lead to objects that still exist

#include <stdlib.h>
int main(void) { int *p = malloc(4); if (p != NULL) *p = 1; free(p); return 0; }
