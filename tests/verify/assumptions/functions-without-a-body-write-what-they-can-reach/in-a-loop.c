// In a loop.
// expect: unsafe 9
#include <assert.h>
void ext(int *p);
int nondet_int(void);
int main(void) {
    int x = 0;
    for (int i = 0; i < 3; i++) {
        assert(x < 10);
        ext(&x);
    }
    return 0;
}
