int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
    int a = 0, b = 0;
    for (;;) {
        a = __VERIFIER_nondet_int();
        if (b & 1) b += 2;
        if (a == 4) __VERIFIER_error();
    }
}
