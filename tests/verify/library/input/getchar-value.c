// Getchar value.
// expect: unsafe 7
#include <assert.h>
#include <stdio.h>
int main(void) {
    int c = fgetc(stdin);
    assert(c != 'x');
    return 0;
}
