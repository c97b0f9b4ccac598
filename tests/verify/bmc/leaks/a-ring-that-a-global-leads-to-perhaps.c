// A ring that a global leads to, perhaps.
// expect: unsafe 16
// engine: bmc
// check: leak
int __VERIFIER_nondet_int(void);
void *malloc(unsigned long);
struct s {
    struct s *n;
    int k;
} *g;
int main(void) {
    struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->n = b;
    b->n = a;
    if (__VERIFIER_nondet_int()) g = b;
    return 0;
}
