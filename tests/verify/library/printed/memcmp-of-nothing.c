// expect: safe
// check: memory

#include <string.h>
int main(void) { return memcmp("", "", 0); }
