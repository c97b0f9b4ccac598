// Through memory that is freed.
// expect: unsafe 15
// engine: bmc
// check: leak
void *malloc(unsigned long);
void free(void *);
struct s {
    struct s *n;
    int k;
} *g;
int main(void) {
    g = malloc(sizeof *g);
    g->n = malloc(sizeof *g);
    free(g);
    return 0;
}
