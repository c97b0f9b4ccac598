// An address that is kept as a number.
// expect: unsafe 10
#include <assert.h>
unsigned long kept;
void ext(void);
int main(void) {
    int x = 1;
    kept = (unsigned long)&x;
    ext();
    assert(x == 1);
    return 0;
}
