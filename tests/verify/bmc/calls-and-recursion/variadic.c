// Variadic.
// expect: safe
// engine: bmc
// audit: unknown
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int sum(int n, ...) {
    __builtin_va_list v;
    __builtin_va_start(v, n);
    int s = 0;
    for (int i = 0; i < n; i++) s += __builtin_va_arg(v, int);
    __builtin_va_end(v);
    return s;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(sum(3, x, 1, -x) == 1);
}
