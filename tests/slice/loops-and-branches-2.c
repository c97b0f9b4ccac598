int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0, t = 0;
    while (n-- > 0) {
        if (n == 3) s = 1;
        if (n == 5) t = 1;
    }
    if (s) __VERIFIER_error();
    return t;
}
