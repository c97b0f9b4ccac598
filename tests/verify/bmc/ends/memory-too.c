// Memory, too.
// expect: unsafe 10
// engine: bmc
// check: leak,memory
void *malloc(unsigned long);
void free(void *);
int main(void) {
    int *p = malloc(4);
    free(p);
    *p = 1;
    return 0;
}
