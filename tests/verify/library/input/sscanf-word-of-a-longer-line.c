// expect: unsafe 8
// check: memory

#include <stdio.h>
int main(void) {
    char l[9], w[7];
    if (!fgets(l, 9, stdin)) return 0;
    return sscanf(l, "%s", w) == 1;
}
