// Realloc.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
void free(void *);
int main(void) {
    char *p = malloc(4);
    p = realloc(p, 8);
    free(p);
    return 0;
}
