// All are there.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    printf("%d%% of %-*s", 1, 4, "x");
    return 0;
}
