// A global that is changed before the loop.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
int f(void) {
    int i = 0;
    int q = g;
    g = 7;
    while (i < q) i++;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    g = n;
    __VERIFIER_assert(f() <= n || n < 0);
}
