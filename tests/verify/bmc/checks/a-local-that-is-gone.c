// A local that is gone.
// expect: unsafe 10
// engine: bmc
// check: memory
int *f(void) {
    int x = 3;
    int *p = &x;
    return p;
}
int main(void) { return *f(); }
