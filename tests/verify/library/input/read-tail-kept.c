// Read tail kept.
// expect: safe or unknown
#include <assert.h>
#include <unistd.h>
int main(void) {
    char b[4] = {0};
    long n = read(0, b, 4);
    assert(n <= 4 && n >= -1);
    if (n == 2) assert(b[2] == 0);
    if (n < 0) assert(b[0] == 0);
    return 0;
}
