// Sprintf of itself.
// expect: unsafe 8
// check: memory
// says: overlaps
#include <stdio.h>
int main(void) {
    char b[16] = "ab";
    sprintf(b, "%sx", b);
    return 0;
}
