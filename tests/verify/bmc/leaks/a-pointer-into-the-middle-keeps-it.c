// A pointer into the middle keeps it.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
char *g;
int main(void) {
    g = malloc(4);
    g += 2;
    return 0;
}
