// Declared without a prototype.
// expect: unsafe 8
#include <assert.h>
void ext();
int main(void) {
    int x = 0;
    ext(&x);
    assert(x == 0);
    return 0;
}
