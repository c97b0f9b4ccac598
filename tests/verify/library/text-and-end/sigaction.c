// Sigaction.
// expect: unknown
#include <assert.h>
#include <signal.h>
int x;
void h(int s) { x = 1; }
int main(void) {
    struct sigaction a = {0};
    a.sa_handler = h;
    sigaction(SIGINT, &a, 0);
    assert(x == 0);
    return 0;
}
