// An exit that goes away.
// expect: safe
// engine: bmc
// unwind: 4, auto
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void exit(int);
void f(int x) {
    if (x > 9) exit(1);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    f(x);
    __VERIFIER_assert(x < 10);
}
