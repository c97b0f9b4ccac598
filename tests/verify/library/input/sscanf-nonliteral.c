// Sscanf nonliteral.
// expect: unsafe 9
#include <assert.h>
#include <stdio.h>
const char *fmt = "%d";
int main(void) {
    int x = 3;
    sscanf("12", fmt, &x);
    assert(x == 3);
    return 0;
}
