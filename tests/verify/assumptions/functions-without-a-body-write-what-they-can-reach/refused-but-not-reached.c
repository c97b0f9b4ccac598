// Refused, but not reached.
// expect: safe
// args: --unknown-functions refuse
#include <assert.h>
void ext(int *p);
static void unused(int *p) { ext(p); }
int main(void) {
    int x = 0;
    assert(x == 0);
    return 0;
}
