// Exchange of one with itself.
// expect: unsafe 14
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void add(int *a, int *b) {
    *a += 1;
    *b += 1;
}
int main(void) {
    int x = 1, y = 1;
    int *q = __VERIFIER_nondet_int() ? &x : &y;
    add(&x, q);
    __VERIFIER_assert(x == 2);
}
