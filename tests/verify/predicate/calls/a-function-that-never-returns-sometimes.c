// A function that never returns, sometimes.
// expect: unsafe 10
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void hang(int x) { while (x); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    hang(x);
    __VERIFIER_assert(x != 0);
}
