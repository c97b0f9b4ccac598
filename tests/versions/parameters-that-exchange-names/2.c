// expect: unsafe 17
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int sub(int b, int a) {
    int r = 0;
    while (a < b) {
        a++;
        r++;
    }
    return r;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n < 100);
    int r = sub(0, n);
    __VERIFIER_assert(r == n);
}
