// And one that forgets to start again.
// expect: unsafe 23
// check: memory
int __VERIFIER_nondet_int(void);
enum state { IDLE, HEAD, BODY };
struct rx {
    enum state st;
    unsigned len, got;
    unsigned char buf[2];
};
static void feed(struct rx *r, unsigned char c) {
    switch (r->st) {
    case IDLE:
        if (c == 0x7e) r->st = HEAD;
        break;
    case HEAD:
        if (c <= sizeof r->buf) {
            r->len = c;
            r->st = c ? BODY : IDLE;
        }
        break;
    case BODY:
        r->buf[r->got++] = c;
        if (r->got >= r->len) r->st = IDLE;
        break;
    }
}
int main(void) {
    struct rx r = {0};
    for (;;) {
        int c = __VERIFIER_nondet_int();
        if (c < 0) return 0;
        feed(&r, (unsigned char)c);
    }
}
