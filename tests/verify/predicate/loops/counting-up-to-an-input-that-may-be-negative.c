// Counting up to an input that may be negative.
// expect: unsafe 9
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n) i++;
    __VERIFIER_assert(i == n);
}
