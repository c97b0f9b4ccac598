// A local and a global of one name.
// expect: unsafe 14
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int x = 1;
int get(void) { return x; }
int f(int x) {
    x = 7;
    return get();
}
int main(void) {
    x = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(5) != 7 || x != 7);
}
