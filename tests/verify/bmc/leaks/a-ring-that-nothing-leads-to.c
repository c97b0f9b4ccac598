// A ring that nothing leads to.
// expect: unsafe 14
// engine: bmc
// check: leak
void *malloc(unsigned long);
struct s {
    struct s *n;
    int k;
};
int main(void) {
    struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->n = b;
    b->n = a;
    return 0;
}
