// Closed twice.
// expect: unsafe 9
// check: memory
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    if (!f) return 1;
    fclose(f);
    fclose(f);
    return 0;
}
