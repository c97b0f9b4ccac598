// Variadic of different types.
// expect: unsafe 14
// engine: bmc
long __VERIFIER_nondet_long(void);
void __VERIFIER_assert(int);
long pick(int n, ...) {
    __builtin_va_list v;
    __builtin_va_start(v, n);
    char *p = __builtin_va_arg(v, char *);
    long l = __builtin_va_arg(v, long);
    __builtin_va_end(v);
    return l + p[n];
}
int main(void) { __VERIFIER_assert(pick(1, "ab", __VERIFIER_nondet_long()) != 100); }
