// expect: safe
// check: memory

#include <stdio.h>
int main(void) {
    char l[8], w[8];
    if (!fgets(l, 8, stdin)) return 0;
    if (sscanf(l, "%s", w) == 1) return w[0];
    return 0;
}
