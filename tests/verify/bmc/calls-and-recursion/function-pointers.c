// Function pointers.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int inc(int x) { return x + 1; }
int twice(int x) { return 2 * x; }
int main(void) {
    int (*f)(int) = __VERIFIER_nondet_int() ? inc : twice;
    int y = f(1);
    __VERIFIER_assert(y == 2);
}
