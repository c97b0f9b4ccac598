// What the body changes is used later.
// expect: unsafe 14
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int a = 1, b = 2, n = __VERIFIER_nondet_int();
    while (n > 0) {
        int t = a;
        a = b;
        b = t;
        n--;
    }
    __VERIFIER_assert(a == 1);
}
