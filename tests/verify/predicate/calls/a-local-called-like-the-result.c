// A local called like the result.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int result) {
    int old = result;
    result++;
    return old;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(x) == x);
}
