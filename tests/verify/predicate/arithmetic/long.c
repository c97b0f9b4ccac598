// Long.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    long x = __VERIFIER_nondet_int();
    x = x * 1000;
    __VERIFIER_assert(x <= 2147483647000L && x >= -2147483648000L);
}
