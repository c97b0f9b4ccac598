// Bool.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    _Bool b = __VERIFIER_nondet_int();
    b = b + b;
    __VERIFIER_assert(b == 0 || b == 1);
}
