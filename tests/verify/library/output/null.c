// Null.
// expect: unsafe 6
// check: memory
#include <stdio.h>
int main(void) {
    printf("%s", (char *)0);
    return 0;
}
