// Hook fgets.
// expect: unsafe 9
#include <assert.h>
#include <stdio.h>
int main(void) {
    char *(*f)(char *, int, FILE *) = fgets;
    char b[4] = "";
    f(b, 4, stdin);
    assert(b[0] == 0);
    return 0;
}
