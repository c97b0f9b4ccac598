// expect: unsafe 14
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int a, b;
void set(int *p) { *p = 1; }
int f(int *p) {
    b = 5;
    *p = 1;
    return b;
}
int main(void) {
    a = 2;
    int r = f(__VERIFIER_nondet_int() ? &a : &b);
    __VERIFIER_assert(r == 5);
}
