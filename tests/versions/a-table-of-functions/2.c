// expect: unsafe 9
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int a(int x) { return x & 3; }
int b(int x) { return x & 1; }
int (*t[2])(int) = {b, a};
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(t[1](x) < 2);
}
