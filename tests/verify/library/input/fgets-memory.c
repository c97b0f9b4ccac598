// Fgets memory.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[7];
    fgets(b, 8, stdin);
    return 0;
}
