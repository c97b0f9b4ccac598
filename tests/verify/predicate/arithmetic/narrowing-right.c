// Narrowing, right.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= -128 && x < 128);
    signed char c = x;
    __VERIFIER_assert(c == x);
}
