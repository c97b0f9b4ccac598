// Sprintf writes.
// expect: unsafe 8
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[8] = "a";
    sprintf(b, "%s-%d", "q", 5);
    assert(b[0] == 'a');
    return 0;
}
