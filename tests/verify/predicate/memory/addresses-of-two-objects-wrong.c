// Addresses of two objects, wrong.
// expect: unsafe 8
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int a, b, *p = &a, *q = __VERIFIER_nondet_int() ? &a : &b;
    __VERIFIER_assert(p != q);
}
