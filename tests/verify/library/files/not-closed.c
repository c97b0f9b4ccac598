// Not closed.
// expect: unsafe 11
// check: leak
#include <stdio.h>
static void f(void) {
    FILE *f = fopen("x", "r");
    if (f) fgetc(f);
}
int main(void) {
    f();
    return 0;
}
