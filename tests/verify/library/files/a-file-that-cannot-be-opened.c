// A file that cannot be opened.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    int c = fgetc(f);
    fclose(f);
    return c;
}
