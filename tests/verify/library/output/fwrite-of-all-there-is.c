// Fwrite of all there is.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    int b[3] = {0};
    fwrite(b, sizeof(int), 3, stdout);
    return 0;
}
