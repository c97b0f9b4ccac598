// expect: unsafe 10
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g = 5;
void reset(void) { g = 0; }
void f(void) {}
int main(void) {
    g = __VERIFIER_nondet_int();
    f();
    __VERIFIER_assert(g == 0);
}
