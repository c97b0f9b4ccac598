// A block is lost.
// expect: unsafe 9
// engine: bmc
// check: leak
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    *p = 1;
    return 0;
}
