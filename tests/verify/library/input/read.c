// Read.
// expect: unsafe 9
#include <assert.h>
#include <unistd.h>
int main(void) {
    char b[4] = {0};
    long n = read(0, b, 4);
    assert(n <= 4);
    if (n == 2) assert(b[1] == 0);
    return 0;
}
