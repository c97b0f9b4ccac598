// An extern global keeps its value.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
extern int g;
int f(void) { return g; }
int main(void) {
    int x = f();
    __VERIFIER_assert(f() == x && g == x);
    g = 3;
    __VERIFIER_assert(f() == 3);
}
