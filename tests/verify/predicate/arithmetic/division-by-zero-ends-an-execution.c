// Division by zero ends an execution.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = 10 / x;
    __VERIFIER_assert(y <= 10);
}
