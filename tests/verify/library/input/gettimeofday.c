// Gettimeofday.
// expect: safe
#include <assert.h>
#include <sys/time.h>
int main(void) {
    struct timeval t;
    gettimeofday(&t, 0);
    assert(t.tv_usec < 1000000);
    return 0;
}
