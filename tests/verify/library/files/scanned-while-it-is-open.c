// Scanned while it is open.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    int x = 0;
    FILE *f = fopen("a", "r");
    if (!f) return 0;
    int n = fscanf(f, "%d", &x);
    fclose(f);
    return n;
}
