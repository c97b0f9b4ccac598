// Localtime.
// expect: safe or unknown
#include <assert.h>
#include <time.h>
int main(void) {
    time_t t = time(0);
    struct tm *p = localtime(&t);
    if (p) assert(p->tm_mon < 12 && p->tm_mon >= 0);
    return 0;
}
