// Refused.
// expect: unknown
// args: --unknown-functions refuse
// says: ext
#include <assert.h>
void ext(int *p);
int main(void) {
    int x = 0;
    ext(&x);
    assert(x == 0);
    return 0;
}
