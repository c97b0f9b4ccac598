// A check that always fails ends the program all the same; what comes to nothing else counts as a failure, too.
// only: main
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void fail(int code) { if (code > 0) __VERIFIER_error(); __VERIFIER_error(); }
int f(int x) {
    if (x > 100) fail(x);
    if (x < 0) { fail(0); }
    return x & 7;
}
int main(void) {
    int x = f(__VERIFIER_nondet_int());
    if (x == 9) __VERIFIER_error();
    return 0;
}
