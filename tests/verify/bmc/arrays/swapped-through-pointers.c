// Swapped through pointers.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void *memcpy(void *, const void *, unsigned long);
void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}
int main(void) {
    int x[2] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()}, y[2];
    memcpy(y, x, sizeof x);
    swap(&x[0], &x[1]);
    __VERIFIER_assert(x[0] == y[1] && x[1] == y[0]);
}
