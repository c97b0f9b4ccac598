// An initialised local in memory, called twice.
// expect: safe
// engine: predicate
void __VERIFIER_assert(int);
void up(int *p) { (*p)++; }
int f(void) {
    int x = 0;
    up(&x);
    return x;
}
int main(void) {
    f();
    __VERIFIER_assert(f() == 1);
}
