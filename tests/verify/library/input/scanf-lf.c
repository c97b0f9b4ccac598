// Scanf lf.
// expect: unsafe 8
#include <assert.h>
#include <stdio.h>
int main(void) {
    double d = 1;
    scanf("%lf", &d);
    assert(d == 1);
    return 0;
}
