// Not asked.
// expect: safe
// undefined: unsaid
#include <stdio.h>
int main(void) {
    char b[3] = "abc";
    fputs(b, stdout);
    return 0;
}
