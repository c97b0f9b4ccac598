// A global changed below.
// expect: safe
// engine: bmc
void __VERIFIER_assert(int);
int g = 1;
void h(void) { g = g * 3; }
void f(void) {
    h();
    h();
}
int main(void) {
    f();
    __VERIFIER_assert(g == 9);
    f();
    __VERIFIER_assert(g == 81);
}
