// expect: unsafe 17
// decided: f new, g new, main new
// most: abstract successors = 40
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x) {
    if (x < -1) return -5;
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
