// What was not given away stays.
// expect: safe
// assumes: ext
#include <assert.h>
void ext(int *p);
int main(void) {
    int x = 0, y = 0;
    ext(&x);
    assert(y == 0);
    return 0;
}
