// expect: unsafe 6
// check: memory
// fails: memory

#include <stdio.h>
int main(void) { printf("abc%n\n", 5); return 0; }
