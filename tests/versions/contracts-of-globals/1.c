// What holds between two functions is said by their checks.
// engine: contracts
// expect: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned low = 50, high = 60, cells[4];

static void first(unsigned x) {
    if (x > 100)
        x = 100;
    cells[0] = (cells[1] + x) / 2;
    if (low > x)
        low = x;
    assert(cells[0] <= 100);
    assert(low <= high);
}

static void second(unsigned x) {
    if (x > 100)
        x = 100;
    cells[1] = (cells[0] + x) / 2;
    if (high < x)
        high = x;
    assert(cells[1] <= 100);
    assert(low <= high);
}

int main(void) {
    while (__VERIFIER_nondet_uint()) {
        first(__VERIFIER_nondet_uint());
        second(__VERIFIER_nondet_uint());
    }
}
