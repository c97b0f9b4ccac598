// Set on one path.
// expect: unsafe 12
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void exit(int);
void *malloc(unsigned long);
void f(int c) {
    int *q = malloc(4), *p;
    if (c) p = q;
    q = 0;
    exit(1);
}
int main(void) { f(__VERIFIER_nondet_int()); }
