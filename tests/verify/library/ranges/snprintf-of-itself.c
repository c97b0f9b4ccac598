// Snprintf of itself.
// expect: unsafe 8
// check: memory
// says: overlaps
#include <stdio.h>
int main(void) {
    char b[16] = "ab";
    snprintf(b, 16, "%sx", b);
    return 0;
}
