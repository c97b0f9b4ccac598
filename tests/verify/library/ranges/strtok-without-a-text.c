// Strtok without a text.
// expect: unsafe 214
// check: memory
#include <string.h>
int main(void) { return strtok(0, ",") != 0; }
