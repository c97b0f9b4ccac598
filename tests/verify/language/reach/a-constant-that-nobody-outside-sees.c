// A constant that nobody outside sees.
// expect: safe
#include <assert.h>
static int g = 3;
static int *const gp = &g;
void ext(void);
int main(void) {
    ext();
    assert(*gp == 3);
    return 0;
}
