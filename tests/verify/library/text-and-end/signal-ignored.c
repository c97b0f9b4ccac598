// Signal ignored.
// expect: safe
#include <assert.h>
#include <signal.h>
int x;
int main(void) {
    signal(SIGPIPE, SIG_IGN);
    assert(x == 0);
    return 0;
}
