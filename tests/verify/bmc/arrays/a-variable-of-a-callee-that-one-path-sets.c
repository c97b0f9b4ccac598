// A variable of a callee that one path sets.
// expect: unsafe 11
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int c) {
    int x[2], *p = x;
    if (c) p[0] = 1;
    return x[0];
}
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) == 1); }
