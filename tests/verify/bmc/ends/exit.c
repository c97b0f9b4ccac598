// _Exit.
// expect: unsafe 10
// engine: bmc
// check: leak
void *malloc(unsigned long);
void _Exit(int);
int main(void) {
    int *p = malloc(4);
    p = 0;
    _Exit(1);
}
