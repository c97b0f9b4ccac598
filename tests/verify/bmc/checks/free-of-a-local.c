// Free of a local.
// expect: unsafe 8
// engine: bmc
// check: memory
void free(void *);
int main(void) {
    int x;
    free(&x);
}
