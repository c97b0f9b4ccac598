// The result is kept in a global that the callee reads.
// expect: unsafe 12
// engine: predicate
void __VERIFIER_assert(int);
int k = 2;
int f(void) {
    for (int i = 0; i < k; i++);
    return 0;
}
int main(void) {
    k = f();
    __VERIFIER_assert(k == 2);
}
