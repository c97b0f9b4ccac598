// A global of another type, only written.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
void f(int x) { g = x; }
int main(void) {
    int x = __VERIFIER_nondet_int() & 255;
    f(x);
    __VERIFIER_assert(g == x);
}
