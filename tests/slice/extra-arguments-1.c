int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int second(int n, ...) {
    __builtin_va_list ap;
    __builtin_va_start(ap, n);
    __builtin_va_arg(ap, int);
    n = __builtin_va_arg(ap, int);
    __builtin_va_end(ap);
    return n;
}
int count(int n, ...) { return n; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (second(2, 7, x) + count(1, x) == 3) __VERIFIER_error();
    return 0;
}
