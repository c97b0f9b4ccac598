// In a loop.
// expect: unsafe 12
// engine: bmc
// check: leak
void *malloc(unsigned long);
void free(void *);
int main(void) {
    for (int i = 0; i < 3; i++) {
        char *p = malloc(4);
        if (i != 1) free(p);
    }
    return 0;
}
