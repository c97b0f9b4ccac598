// A width from an argument is one, too.
// expect: unsafe 6
// check: memory
#include <stdio.h>
int main(void) {
    printf("%*d", 3);
    return 0;
}
