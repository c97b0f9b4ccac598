// expect: unsafe 4
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x < 9); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 10) f(x);
}
