// Stat.
// expect: unsafe 7
#include <assert.h>
#include <sys/stat.h>
int main(void) {
    struct stat s = {0};
    if (stat("x", &s) == 0) assert(s.st_size == 0);
    return 0;
}
