// Variadic.
// expect: unsafe 8
#include <assert.h>
void ext(int n, ...);
int main(void) {
    int x = 0;
    ext(1, &x);
    assert(x == 0);
    return 0;
}
