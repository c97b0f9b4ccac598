// Opening may fail.
// expect: unsafe 7
#include <assert.h>
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    assert(f);
    return 0;
}
