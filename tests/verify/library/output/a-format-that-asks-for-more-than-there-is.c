// A format that asks for more than there is.
// expect: unsafe 6
// check: memory
#include <stdio.h>
int main(void) {
    printf("%d %s", 1);
    return 0;
}
