// Refused, and fails before.
// expect: unsafe 8
// args: --unknown-functions refuse
#include <assert.h>
void ext(int *p);
int main(void) {
    int x = 0;
    assert(x == 1);
    ext(&x);
    return 0;
}
