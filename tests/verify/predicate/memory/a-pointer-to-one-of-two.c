// A pointer to one of two.
// expect: unsafe 9
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = 1, y = 2, *p = __VERIFIER_nondet_int() ? &x : &y;
    *p = 3;
    __VERIFIER_assert(x == 1);
}
