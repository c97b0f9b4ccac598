// Localtime_r.
// expect: unsafe 9
#include <assert.h>
#include <time.h>
int main(void) {
    time_t t = time(0);
    struct tm m = {0};
    localtime_r(&t, &m);
    assert(m.tm_year == 0);
    return 0;
}
