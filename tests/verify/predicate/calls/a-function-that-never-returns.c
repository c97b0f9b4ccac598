// A function that never returns.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void hang(void) { for (;;); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) hang();
    __VERIFIER_assert(x <= 3);
}
