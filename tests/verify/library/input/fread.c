// Fread.
// expect: unsafe 8
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a[4] = {0};
    unsigned long n = fread(a, 4, 4, stdin);
    if (n == 3) assert(a[2] == 0);
    return 0;
}
