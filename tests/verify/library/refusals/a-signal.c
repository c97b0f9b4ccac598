// A signal.
// expect: unknown
// says: signal
// says: handlers
#include <signal.h>
void h(int n) {}
int main(void) {
    signal(SIGINT, h);
    return 0;
}
