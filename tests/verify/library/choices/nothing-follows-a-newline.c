// Nothing follows a newline.
// expect: safe
#include <stdio.h>
#include <assert.h>
int main(void) {
    char b[4];
    if (!fgets(b, 4, stdin)) return 0;
    if (b[0] == '\n') assert(b[1] == 0);
    return 0;
}
