// Clock_gettime.
// expect: unsafe 8
#include <assert.h>
#include <time.h>
int main(void) {
    struct timespec t = {0};
    clock_gettime(0, &t);
    assert(t.tv_sec == 0);
    return 0;
}
