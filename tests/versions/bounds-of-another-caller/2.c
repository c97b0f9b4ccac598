// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int f(int x) {
    int r = x;
    return r;
}
int g(int x) { return f(x); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 5);
    __VERIFIER_assert(g(n) <= 5);
}
