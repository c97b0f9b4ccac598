// The same again: nothing is found out a second time.
// expect: safe
// most: abstract successors = 0
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x) {
    if (x < 0) return 7;
    return x;
}
int g(int x) {
    int r = f(x);
    return r;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    int r = g(n);
    __VERIFIER_assert(r >= n);
    return 0;
}
