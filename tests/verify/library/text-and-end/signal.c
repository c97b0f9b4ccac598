// Signal.
// expect: unknown
#include <assert.h>
#include <signal.h>
int x;
void h(int s) { x = 1; }
int main(void) {
    signal(SIGINT, h);
    assert(x == 0);
    return 0;
}
