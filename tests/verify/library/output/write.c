// Write.
// expect: unsafe 7
// check: memory
#include <unistd.h>
int main(void) {
    char b[4] = {0};
    write(1, b, 8);
    return 0;
}
