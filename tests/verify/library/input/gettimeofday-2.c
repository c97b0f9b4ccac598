// Gettimeofday 2.
// expect: unsafe 8
#include <assert.h>
#include <sys/time.h>
int main(void) {
    struct timeval t = {0};
    gettimeofday(&t, 0);
    assert(t.tv_sec == 0);
    return 0;
}
