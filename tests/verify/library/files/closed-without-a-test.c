// Closed without a test.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    fclose(f);
    return 0;
}
