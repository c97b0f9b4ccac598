// expect: safe
// check: memory

#include <stdio.h>
int main(void) { printf("%.0s\n", 7); return 0; }
