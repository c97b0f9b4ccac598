// Read without a test.
// expect: unsafe 8
// check: memory
#include <stdio.h>
int main(void) {
    char b[8];
    FILE *f = fopen("x", "r");
    fgets(b, 8, f);
    return 0;
}
