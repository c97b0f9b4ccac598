// Handlers of a state machine, with a loop in one of them.
// engine: contracts
// expect: safe
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned level;

static unsigned idle(unsigned x) {
    level = 0;
    return x % 3;
}

static unsigned filling(unsigned x) {
    while (level < 900 && x > 0) {
        level++;
        x--;
    }
    assert(level <= 1000);
    return x ? 2 : 1;
}

static unsigned full(unsigned x) {
    assert(level <= 1000);
    if (level < 1000)
        level++;
    return x % 2;
}

int main(void) {
    unsigned state = 0;
    for (;;) {
        unsigned x = __VERIFIER_nondet_uint();
        switch (state) {
        case 0: state = idle(x); break;
        case 1: state = filling(x); break;
        default: state = full(x); break;
        }
    }
}
