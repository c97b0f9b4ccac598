// A block is freed.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    free(p);
    return 0;
}
