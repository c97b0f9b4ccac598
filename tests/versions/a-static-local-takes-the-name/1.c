// A static local takes the name.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
int inc(int v) { return v > 50 ? v : v + 1; }
int main(void) {
    int x = 0, n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n < 100);
    do {
        x = inc(x);
        n--;
    } while (n > 0);
    __VERIFIER_assert(x >= 1);
}
