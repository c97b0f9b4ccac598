// Scanf keeps x if it returns 0.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x = 7;
    if (scanf("%d", &x) != 1) assert(x == 7);
    return 0;
}
