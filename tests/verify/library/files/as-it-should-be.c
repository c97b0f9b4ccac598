// As it should be.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    char b[8];
    FILE *f = fopen("x", "r");
    if (!f) {
        perror("x");
        return 1;
    }
    while (fgets(b, sizeof b, f)) {
        if (b[0] == '#') break;
    }
    if (ferror(f)) {
        fclose(f);
        return 2;
    }
    fclose(f);
    return 0;
}
