// Wait.
// expect: unsafe 8
#include <assert.h>
#include <sys/wait.h>
int main(void) {
    int s = 0;
    wait(&s);
    assert(s == 0);
    return 0;
}
