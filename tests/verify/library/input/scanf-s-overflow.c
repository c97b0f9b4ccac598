// Scanf s overflow.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[10];
    scanf("%s", b);
    return 0;
}
