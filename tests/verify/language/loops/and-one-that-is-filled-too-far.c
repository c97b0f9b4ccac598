// And one that is filled too far.
// expect: unsafe 18
// check: memory
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct ring {
    unsigned char buf[4];
    unsigned head, tail;
};
static struct ring r;
static void put(unsigned char c) {
    if (r.head - r.tail > 4) return;
    r.buf[r.head++ % 4] = c;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        put(1);
        assert(r.head - r.tail <= 4);
    }
    return 0;
}
