// Fgets gives a string.
// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char b[20];
    b[10] = 'x';
    if (fgets(b, 8, stdin)) assert(strlen(b) < 8);
    assert(b[10] == 'x');
    return 0;
}
