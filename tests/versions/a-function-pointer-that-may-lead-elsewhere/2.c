// expect: unsafe 10
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int one(void) { return 1; }
int two(void) { return 2; }
int (*f)(void) = one;
int call(void) { return f(); }
int main(void) {
    if (__VERIFIER_nondet_int()) f = two;
    __VERIFIER_assert(call() == 1);
}
