// Snprintf beside itself.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    char b[16] = "ab";
    snprintf(b + 8, 8, "%sx", b);
    return 0;
}
