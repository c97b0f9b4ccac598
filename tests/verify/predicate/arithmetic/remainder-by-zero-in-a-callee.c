// Remainder by zero in a callee.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x) { return 7 % x; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(x) < 7 || x > 7 || x < -7);
}
