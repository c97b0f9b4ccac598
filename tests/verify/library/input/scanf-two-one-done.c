// Scanf two, one done.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 7, y = 8;
    int r = scanf("%d %d", &x, &y);
    assert(r >= -1 && r <= 2);
    if (r < 2) assert(y == 8);
    return 0;
}
