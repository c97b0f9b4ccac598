// Left on an input.
// expect: unsafe 9
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int()) i++;
    __VERIFIER_assert(i != 9);
}
