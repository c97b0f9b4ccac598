// The old value of a parameter.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int p) {
    int r = p;
    p = 100;
    while (p > 0) p--;
    return r;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(n) == n);
}
