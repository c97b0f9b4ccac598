// One more thing read.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
int f(int x) { return x & 1; }
int main(void) {
    g = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(g) < 2);
}
