// Printed to without a test.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "w");
    fprintf(f, "x");
    return 0;
}
