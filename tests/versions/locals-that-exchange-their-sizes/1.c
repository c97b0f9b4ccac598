// Locals that exchange their sizes.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void f(int *p, int i) { p[i] = 1; }
int main(void) {
    int a[8] = {0}, b[2] = {0};
    int i = __VERIFIER_nondet_int() & 1;
    f(b, i);
    __VERIFIER_assert(b[0] + b[1] == 1 && a[i] == 0);
}
