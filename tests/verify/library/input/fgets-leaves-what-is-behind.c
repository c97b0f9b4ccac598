// Fgets leaves what is behind.
// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    char b[9];
    b[8] = 'x';
    fgets(b, 8, stdin);
    assert(b[8] == 'x');
    return 0;
}
