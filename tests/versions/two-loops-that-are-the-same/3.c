// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 5;
    while (j < n) j++;
    while (i < n) i++;
    __VERIFIER_assert(j >= n && i >= n);
}
