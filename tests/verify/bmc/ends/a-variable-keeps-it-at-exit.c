// A variable keeps it at exit.
// expect: safe
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void exit(int);
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    if (__VERIFIER_nondet_int()) exit(1);
    free(p);
    return 0;
}
