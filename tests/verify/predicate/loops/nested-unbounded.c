// Nested, unbounded.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 1;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0) {
            j--;
            x = 1;
        }
        __VERIFIER_assert(j <= 0 || i < 0);
    }
    __VERIFIER_assert(x == 1);
}
