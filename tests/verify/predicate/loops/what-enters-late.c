// What enters late.
// expect: unsafe 15
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int f = 0, t = 0, p = 0, q = 0, r = 0;
    while (f == 0) {
        r = q;
        q = p;
        p = t;
        t = 1;
        f = __VERIFIER_nondet_int() & 1;
    }
    __VERIFIER_assert(r == 0);
}
