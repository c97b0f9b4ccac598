// What enters late, in globals.
// expect: unsafe 20
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f, t, p, q, r, s, u;
void shift(void) {
    u = s;
    s = r;
    r = q;
    q = p;
    p = t;
}
int main(void) {
    while (!f) {
        shift();
        t = 1;
        f = __VERIFIER_nondet_int();
    }
    __VERIFIER_assert(u == 0 || f == 0);
}
