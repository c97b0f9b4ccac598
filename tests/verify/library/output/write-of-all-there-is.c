// Write of all there is.
// expect: safe
// check: memory
#include <unistd.h>
int main(void) {
    char b[4] = {0};
    write(1, b, 4);
    write(1, 0, 0);
    return 0;
}
