// expect: unsafe 14
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
int f(void) {
    int i = 0;
    g = g + 1;
    while (i < g) i++;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    g = n;
    __VERIFIER_assert(f() <= n || n < 0);
}
