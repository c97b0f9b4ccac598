// A global that nobody sees.
// expect: safe
#include <assert.h>
static int g;
void ext(void);
int main(void) {
    g = 0;
    ext();
    assert(g == 0);
    return 0;
}
