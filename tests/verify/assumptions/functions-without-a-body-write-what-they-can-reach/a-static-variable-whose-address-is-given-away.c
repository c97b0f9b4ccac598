// A static variable whose address is given away.
// expect: unsafe 11
#include <assert.h>
static int g;
void ext(int *p);
void step(void);
int main(void) {
    ext(&g);
    g = 0;
    step();
    assert(g == 0);
    return 0;
}
