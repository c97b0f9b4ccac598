// A parameter that is changed before the loop.
// expect: safe or unknown
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int p) {
    int i = 0;
    int q = p;
    p = 7;
    while (i < q) i++;
    return i;
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(n) <= n || n < 0);
}
