// The content of a local in the second call.
// expect: unsafe 13
// engine: predicate
void __VERIFIER_assert(int);
void see(int *p) {}
int f(void) {
    int x;
    see(&x);
    return x;
}
int main(void) {
    int a = f(), b = f();
    __VERIFIER_assert(a != 3 || b != 33);
}
