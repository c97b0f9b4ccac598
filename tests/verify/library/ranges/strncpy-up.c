// Strncpy up.
// expect: unsafe 8
// check: memory
// says: overlaps
#include <string.h>
int main(void) {
    char b[16] = "abcdef";
    strncpy(b + 1, b, 3);
    return 0;
}
