// Written by others.
// expect: safe
#include <assert.h>
void ext(_Bool *p);
int main(void) {
    _Bool b = 0;
    ext(&b);
    assert(b + 0 <= 1);
    return 0;
}
