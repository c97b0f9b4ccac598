// For cleanup, a variable is not enough.
// expect: unsafe 9
// engine: bmc
// check: cleanup
void exit(int);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    exit(1);
}
