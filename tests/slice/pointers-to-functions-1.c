int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int a, b;
void f(void) { a = 1; }
void g(void) { b = 1; }
void h(int x) { b = x; }
void (*table[2])(void) = {f, g};
void (*other)(int) = h;
int main(void) {
    other(3);
    table[__VERIFIER_nondet_int() & 1]();
    if (a) __VERIFIER_error();
    return b;
}
