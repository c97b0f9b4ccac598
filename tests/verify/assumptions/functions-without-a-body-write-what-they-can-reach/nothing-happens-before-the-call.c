// Nothing happens before the call.
// expect: safe
#include <assert.h>
void ext(int *p);
void other(void);
int main(void) {
    int x = 1;
    other();
    assert(x == 1);
    ext(&x);
    return 0;
}
