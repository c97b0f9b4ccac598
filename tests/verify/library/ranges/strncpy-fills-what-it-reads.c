// Strncpy fills what it reads.
// expect: unsafe 8
// check: memory
// says: overlaps
#include <string.h>
int main(void) {
    char b[16] = "abcdefghi";
    strncpy(b, b + 4, 12);
    return 0;
}
