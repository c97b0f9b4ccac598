// Strtok without a text.
// expect: unsafe 5
// check: memory
#include <string.h>
int main(void) { return strtok(0, ",") != 0; }
