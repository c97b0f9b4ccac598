// expect: unsafe 6
// check: memory
// fails: memory

#include <stdio.h>
int main(void) { fprintf(stderr, "%s", 2.5); return 0; }
