// The streams that are there.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    FILE *out = stdout;
    char b[4];
    if (fgets(b, 4, stdin)) fputs(b, out);
    fprintf(stderr, "%s", "x");
    fflush(0);
    fclose(stdin);
    return 0;
}
