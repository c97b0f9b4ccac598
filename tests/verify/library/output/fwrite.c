// Fwrite.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    int b[3] = {0};
    fwrite(b, sizeof(int), 4, stdout);
    return 0;
}
