// A loop in a recursive function.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s = f(i) >= 0 ? s : -1;
    return s;
}
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) >= 0); }
