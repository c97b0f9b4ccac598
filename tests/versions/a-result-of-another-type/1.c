// A result of another type.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
short f(int x) { return x; }
int main(void) {
    int x = __VERIFIER_nondet_int() & 255;
    __VERIFIER_assert(f(x) >= 0);
}
