// A pointer behind the end keeps it.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
char *g;
int main(void) {
    g = malloc(4);
    g += 4;
    return 0;
}
