// expect: unknown may fail
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int a, b;
int main(void) {
    while (1) {
        if (__VERIFIER_nondet_int() == 1) {
            a++;
            b++;
        }
        if (a != b) __VERIFIER_error();
    }
}
