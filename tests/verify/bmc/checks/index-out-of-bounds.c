// Index out of bounds.
// expect: unsafe 9
// engine: bmc
// check: memory
int __VERIFIER_nondet_int(void);
int a[10];
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 10) a[i] = 1;
}
