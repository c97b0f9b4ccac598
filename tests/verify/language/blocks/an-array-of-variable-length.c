// An array of variable length.
// expect: unsafe 14
// check: memory
extern int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n < 1 || n > 4) return 0;
    int *p;
    {
        int v[n];
        v[0] = 1;
        p = v;
    }
    return *p;
}
