// expect: unsafe 8
// engine: explicit
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int()) i++;
    if (i == 20) __VERIFIER_error();
}
