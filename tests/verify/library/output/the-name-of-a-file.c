// The name of a file.
// expect: unsafe 7
// check: memory
#include <stdio.h>
int main(void) {
    char b[3] = {'x', 'x', 'x'};
    FILE *f = fopen(b, "r");
    return f != 0;
}
