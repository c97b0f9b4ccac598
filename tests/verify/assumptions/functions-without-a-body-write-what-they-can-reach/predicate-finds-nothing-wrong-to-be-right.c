// Predicate finds nothing wrong to be right.
// expect: unsafe 10 or unknown
// engine: predicate
#include <assert.h>
void ext(int *p);
int nondet_int(void);
int main(void) {
    int x = 0;
    while (nondet_int()) { ext(&x); }
    assert(x == 0);
    return 0;
}
