// A global changed on one path.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
void f(int x) {
    if (x > 10) g = x;
}
int main(void) {
    f(__VERIFIER_nondet_int());
    __VERIFIER_assert(g <= 10 || g > 11);
}
