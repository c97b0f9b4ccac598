// Kept byte by byte.
// expect: safe
// engine: bmc
// check: leak
void *malloc(unsigned long);
char *g;
int main(void) {
    char *p = malloc(4);
    for (unsigned i = 0; i < sizeof p; i++) ((char *)&g)[i] = ((char *)&p)[i];
    return 0;
}
