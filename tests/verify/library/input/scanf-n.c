// Scanf n.
// expect: unsafe 8
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x, n = -1;
    scanf("%d%n", &x, &n);
    assert(n == -1);
    return 0;
}
