// Sigaction ignored.
// expect: safe or unknown
#include <assert.h>
#include <signal.h>
int x;
int main(void) {
    struct sigaction a = {0};
    a.sa_handler = SIG_IGN;
    sigaction(SIGINT, &a, 0);
    assert(x == 0);
    return 0;
}
