// One of two.
// expect: safe
// check: memory
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!f) return 1;
    int c = getc(f);
    if (f != stdin) fclose(f);
    return c;
}
