// Fread tail.
// expect: safe or unknown
#include <assert.h>
#include <stdio.h>
int main(void) {
    int a[4] = {0};
    unsigned long n = fread(a, 4, 4, stdin);
    assert(n <= 4);
    if (n == 2) assert(a[3] == 0);
    return 0;
}
