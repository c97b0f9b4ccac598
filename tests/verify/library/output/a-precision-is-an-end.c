// A precision is an end.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    char a[2] = {'a', 'b'};
    printf("%.2s %.*s\n", a, 2, a);
    return 0;
}
