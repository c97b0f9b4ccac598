// For cleanup, a global is not enough.
// expect: unsafe 9
// engine: bmc
// check: cleanup
void *malloc(unsigned long);
int *g;
int main(void) {
    g = malloc(4);
    return 0;
}
