// What the checks of other functions depend on is gone: they pass.
// only: g
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
int f(int x) {
    int s = 0;
    for (int i = 0; i < x; i++) s += 2;
    if (s != 2 * x) __VERIFIER_error();
    return s;
}
int g(int y) {
    if (y == 7) __VERIFIER_error();
    return y;
}
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    f(x);
    if (y < 0) exit(1);
    return g(y);
}
