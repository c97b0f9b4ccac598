// A handler frees it.
// expect: safe
// engine: bmc
// check: leak,cleanup
int __VERIFIER_nondet_int(void);
void exit(int);
void *malloc(unsigned long);
void free(void *);
int atexit(void (*)(void));
int *g;
void clean(void) {
    free(g);
    g = 0;
}
int main(void) {
    atexit(clean);
    g = malloc(4);
    if (__VERIFIER_nondet_int()) exit(1);
    return 0;
}
