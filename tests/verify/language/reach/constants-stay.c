// Constants stay.
// expect: safe
#include <assert.h>
static int g;
int *const gp = &g;
const int limit = 4;
void ext(void);
int main(void) {
    ext();
    assert(gp == &g && limit == 4);
    return 0;
}
