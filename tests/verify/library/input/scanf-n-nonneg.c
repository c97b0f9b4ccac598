// Scanf n nonneg.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x, n = -1;
    int r = scanf("%d%n", &x, &n);
    assert(n >= -1);
    if (r <= 0) assert(n == -1);
    return 0;
}
