// Lost before abort.
// expect: unsafe 10
// engine: bmc
// check: leak
void abort(void);
void *malloc(unsigned long);
int main(void) {
    int *p = malloc(4);
    p = 0;
    abort();
}
