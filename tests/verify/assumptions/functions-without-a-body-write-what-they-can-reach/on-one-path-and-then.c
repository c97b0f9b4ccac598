// On one path, and then.
// expect: unsafe 11
#include <assert.h>
void ext(int *p);
int nondet_int(void);
void step(void);
int main(void) {
    int x = 0;
    if (nondet_int()) ext(&x);
    step();
    assert(x != 7);
    return 0;
}
