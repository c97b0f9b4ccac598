// A constant table of structs.
// expect: unsafe 12
#include <assert.h>
static int g = 3;
struct t {
    int *p;
};
const struct t table[] = {{0}, {&g}};
void ext(void);
int main(void) {
    ext();
    assert(g == 3);
    return 0;
}
