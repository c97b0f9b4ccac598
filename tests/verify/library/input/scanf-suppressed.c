// Scanf suppressed.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 3;
    int r = scanf("%*d %*s");
    assert(r <= 0);
    assert(x == 3);
    return 0;
}
