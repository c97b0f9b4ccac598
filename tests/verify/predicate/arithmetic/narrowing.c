// Narrowing.
// expect: unsafe 9
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    signed char c = x;
    __VERIFIER_assert(c == x || x > 200 || x < -128);
}
