// Nested, the inner loop spoils it.
// expect: unsafe 15
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 1;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 1) {
            j--;
            x = 2;
        }
    }
    __VERIFIER_assert(x == 1);
}
