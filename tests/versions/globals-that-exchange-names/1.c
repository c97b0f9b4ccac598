// Globals that exchange names.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int a, b;
void f(void) {
    if (a < b) a = b;
}
int main(void) {
    a = __VERIFIER_nondet_int();
    b = __VERIFIER_nondet_int();
    f();
    __VERIFIER_assert(a >= b);
}
