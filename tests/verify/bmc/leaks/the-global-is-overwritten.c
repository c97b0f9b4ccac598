// The global is overwritten.
// expect: unsafe 10
// engine: bmc
// check: leak
void *malloc(unsigned long);
int *g;
int main(void) {
    g = malloc(4);
    g = malloc(8);
    return 0;
}
