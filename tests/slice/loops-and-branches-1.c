int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0, i;
    for (i = 0; i < n; i++) {
        if (i & 1) s += i;
        else s -= i;
    }
    if (n < 0) __VERIFIER_error();
    return s;
}
