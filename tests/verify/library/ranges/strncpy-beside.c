// Strncpy beside.
// expect: safe
// check: memory
#include <string.h>
int main(void) {
    char b[16] = "abc";
    strncpy(b + 4, b, 8);
    return 0;
}
