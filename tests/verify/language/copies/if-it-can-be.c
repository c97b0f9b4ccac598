// If it can be.
// expect: unsafe 9
// check: memory
// says: positive
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n >= 0 || n < -5) return 0;
    char a[n];
    (void)a;
    return 0;
}
