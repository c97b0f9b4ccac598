// Scanf hhd.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    unsigned char a[4] = {1, 2, 3, 4};
    scanf("%hhu", &a[1]);
    assert(a[0] == 1 && a[2] == 3);
    return 0;
}
