// Main calls itself.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
void free(void *);
int *g;
int main(int n, char **v) {
    int *p = malloc(4);
    if (n == 1) main(2, v);
    free(p);
    return 0;
}
