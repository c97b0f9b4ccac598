// A constant leads to what is not.
// expect: unsafe 9
#include <assert.h>
static int g = 3;
int *const gp = &g;
void ext(void);
int main(void) {
    ext();
    assert(g == 3);
    return 0;
}
