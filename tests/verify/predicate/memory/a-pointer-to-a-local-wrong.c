// A pointer to a local, wrong.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void set(int *p, int v) {
    if (v > 3) *p = v;
}
int main(void) {
    int x = 0;
    set(&x, __VERIFIER_nondet_int());
    __VERIFIER_assert(x != 4);
}
