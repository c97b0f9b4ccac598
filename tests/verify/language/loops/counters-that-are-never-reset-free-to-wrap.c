// Counters that are never reset, free to wrap.
// expect: safe
// check: memory,div,shift
#include <assert.h>
int __VERIFIER_nondet_int(void);
struct ring {
    unsigned char buf[16];
    unsigned head, tail;
};
static struct ring r;
static int put(unsigned char c) {
    if (r.head - r.tail == 16) return 0;
    r.buf[r.head++ % 16] = c;
    return 1;
}
static int get(unsigned char *c) {
    if (r.head == r.tail) return 0;
    *c = r.buf[r.tail++ % 16];
    return 1;
}
int main(void) {
    unsigned char c;
    for (;;) {
        int op = __VERIFIER_nondet_int();
        if (op == 0) return 0;
        if (op > 0) put((unsigned char)op);
        else get(&c);
        assert(r.head - r.tail <= 16);
    }
}
