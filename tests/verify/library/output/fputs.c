// Fputs.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[3] = "abc";
    fputs(b, stdout);
    return 0;
}
