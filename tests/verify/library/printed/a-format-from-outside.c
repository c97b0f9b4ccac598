// expect: unsafe 6
// check: memory
// fails: memory

#include <stdio.h>
int main(void) { char b[32]; if (!fgets(b, sizeof b, stdin)) return 1; printf(b); return 0; }
