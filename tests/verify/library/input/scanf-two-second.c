// Scanf two, second.
// expect: unsafe 7
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 7, y = 8;
    if (scanf("%d %d", &x, &y) == 2) assert(y == 8);
    return 0;
}
