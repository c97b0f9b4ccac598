// A loop after a loop.
// expect: safe or unknown
// engine: predicate
// timeout: 2
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    __VERIFIER_assume(n > 0 && n < 100);
    while (i < n) i++;
    while (j < i) j++;
    __VERIFIER_assert(j == n);
}
