// A global keeps it.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
int *g;
int main(void) {
    g = malloc(4);
    return 0;
}
