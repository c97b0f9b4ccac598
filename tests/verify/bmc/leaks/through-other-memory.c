// Through other memory.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
struct s {
    struct s *n;
    int k;
} *g;
int main(void) {
    g = malloc(sizeof *g);
    g->n = malloc(sizeof *g);
    g->n->n = 0;
    return 0;
}
