// A text.
// expect: safe
// check: memory
#include <stdio.h>
int main(void) {
    char a[3] = "ab";
    printf("%s %s\n", a, "cd");
    puts(a);
    fputs(a, stderr);
    perror(0);
    perror(a);
    return 0;
}
