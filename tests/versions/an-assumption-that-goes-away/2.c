// expect: unsafe 8
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(void) {
    int x = __VERIFIER_nondet_int();
    return x;
}
int main(void) { __VERIFIER_assert(f() < 10); }
