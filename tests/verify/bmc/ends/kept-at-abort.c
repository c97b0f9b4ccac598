// Kept at abort.
// expect: safe
// engine: bmc
// check: leak
void abort(void);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    abort();
}
