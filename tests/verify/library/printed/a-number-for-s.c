// expect: unsafe 6
// check: memory
// fails: memory

#include <stdio.h>
int main(void) { int x = 5; printf("%s\n", x); return 0; }
