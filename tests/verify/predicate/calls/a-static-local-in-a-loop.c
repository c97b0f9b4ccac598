// A static local in a loop.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void step(void) {
    static int n;
    __VERIFIER_assert(n >= 0 && n < 5);
    n = n == 4 ? 0 : n + 1;
}
int main(void) {
    while (__VERIFIER_nondet_int()) step();
}
