// A local in memory has no value, the other way.
// expect: unsafe 16 or unknown
// engine: predicate
// timeout: 2
void __VERIFIER_assert(int);
void set(int *p, int v) {
    if (v) *p = v;
}
int f(int v) {
    int x;
    set(&x, v);
    return x;
}
int main(void) {
    f(7);
    __VERIFIER_assert(f(0) != 7);
}
