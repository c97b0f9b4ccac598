// A global that others see.
// expect: unsafe 9
#include <assert.h>
int g;
void ext(void);
int main(void) {
    g = 0;
    ext();
    assert(g == 0);
    return 0;
}
