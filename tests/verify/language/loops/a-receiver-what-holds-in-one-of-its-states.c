// A receiver: what holds in one of its states.
// expect: safe
// check: memory,overflow
#include <assert.h>
int __VERIFIER_nondet_int(void);
enum state { IDLE, HEAD, BODY, CRC, DONE, BAD };
struct rx {
    enum state st;
    unsigned len, got;
    unsigned char sum, buf[8];
};
static void feed(struct rx *r, unsigned char c) {
    switch (r->st) {
    case IDLE:
        if (c == 0x7e) {
            r->st = HEAD;
            r->sum = 0;
            r->got = 0;
        }
        break;
    case HEAD:
        if (c > sizeof r->buf) r->st = BAD;
        else {
            r->len = c;
            r->sum += c;
            r->st = c ? BODY : CRC;
        }
        break;
    case BODY:
        r->buf[r->got++] = c;
        r->sum += c;
        if (r->got == r->len) r->st = CRC;
        break;
    case CRC: r->st = c == r->sum ? DONE : BAD; break;
    case DONE:
    case BAD: r->st = IDLE; break;
    }
}
int main(void) {
    struct rx r = {0};
    for (;;) {
        int c = __VERIFIER_nondet_int();
        if (c < 0) return 0;
        feed(&r, (unsigned char)c);
        assert(r.st != BODY || r.got < r.len);
    }
}
