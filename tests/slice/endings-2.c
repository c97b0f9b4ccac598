int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 0);
    if (x == 0) __VERIFIER_error();
    __VERIFIER_assume(y > 0);
    return y;
}
