// Predicate.
// expect: safe
// engine: predicate
#include <assert.h>
void ext(int *p);
int nondet_int(void);
static int g;
int main(void) {
    int x;
    while (nondet_int()) {
        ext(&x);
        g = 1;
        assert(g == 1);
    }
    return 0;
}
