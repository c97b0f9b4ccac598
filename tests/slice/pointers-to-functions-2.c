// Who may be called depends on there being a result.
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int a;
int f(void) {
    a = 1;
    return 2;
}
void g(void) { a = 0; }
void *table[2] = {f, g};
int main(void) {
    int r = ((int (*)(void))table[__VERIFIER_nondet_int() & 1])();
    if (a) __VERIFIER_error();
    return r;
}
