// Fopen.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 3;
    FILE *f = fopen("a", "r");
    if (!f) return 1;
    if (fclose(f)) return 2;
    assert(x == 3);
    return 0;
}
