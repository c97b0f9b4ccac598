// Counting up to an input.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    __VERIFIER_assume(n >= 0);
    while (i < n) i++;
    __VERIFIER_assert(i == n);
}
