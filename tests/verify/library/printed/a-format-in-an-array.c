// expect: unsafe 6
// check: memory
// fails: memory

#include <stdio.h>
int main(void) { char f[] = "%s\n"; printf(f); return 0; }
