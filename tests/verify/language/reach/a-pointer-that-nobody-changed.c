// A pointer that nobody changed.
// expect: unsafe 11
#include <assert.h>
int buffer[4];
int *at = buffer;
void log_it(const char *);
int main(void) {
    log_it("a");
    buffer[0] = 0;
    *at = 7;
    assert(buffer[0] == 0);
    return 0;
}
