// No end.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char a[2] = {'a', 'b'};
    printf("%d %s\n", 1, a);
    return 0;
}
