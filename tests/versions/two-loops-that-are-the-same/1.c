// Two loops that are the same.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n) i++;
    while (j < n) j++;
    __VERIFIER_assert(i >= n && j >= n);
}
