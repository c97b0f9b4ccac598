// Pipe.
// expect: unsafe 8
#include <assert.h>
#include <unistd.h>
int main(void) {
    int s[2] = {0};
    pipe(s);
    assert(s[0] == s[1]);
    return 0;
}
