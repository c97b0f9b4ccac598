// expect: safe
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_error(void);
int f(int x) {
    while (x > 3) x -= 2;
    return x;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= x && x < 50);
    if (f(x) > 3) __VERIFIER_error();
}
