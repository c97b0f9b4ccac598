// expect: unsafe 12
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int p) {
    int i = 0;
    p = p + 1;
    while (i < p) i++;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(n) <= n || n < 0);
}
