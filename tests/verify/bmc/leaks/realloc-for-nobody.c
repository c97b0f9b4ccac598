// Realloc for nobody.
// expect: unsafe 12
// engine: bmc
// check: leak
void *malloc(unsigned long);
void *realloc(void *, unsigned long);
char *g;
int main(void) {
    g = malloc(4);
    realloc(g, 8);
    g = 0;
    return 0;
}
