// A new context.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int x) { __VERIFIER_assert(x != 7); }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 7) f(n);
    if (n < 7) f(n);
}
