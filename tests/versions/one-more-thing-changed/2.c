// expect: unsafe 11
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g, h;
void f(int x) {
    g = x;
    if (x == 77) h = x;
}
int main(void) {
    f(__VERIFIER_nondet_int());
    __VERIFIER_assert(h == 0);
}
