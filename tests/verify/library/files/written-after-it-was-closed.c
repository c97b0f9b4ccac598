// Written after it was closed.
// expect: unsafe 9
// check: memory
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "w");
    if (!f) return 0;
    fclose(f);
    fputc('a', f);
    return 0;
}
