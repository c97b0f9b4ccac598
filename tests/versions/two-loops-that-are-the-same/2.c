// expect: unsafe 8
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0, m = n - (n == 9);
    while (i < n) i++;
    while (j < m) j++;
    __VERIFIER_assert(i >= n && j >= n);
}
