// A null pointer.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int x;
int *find(int n) { return n > 3 ? &x : 0; }
int main(void) {
    int n = __VERIFIER_nondet_int(), *p = find(n);
    if (p) *p = 1;
    __VERIFIER_assert(n > 3 || p == 0);
}
