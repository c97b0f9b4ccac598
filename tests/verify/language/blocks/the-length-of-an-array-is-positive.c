// The length of an array is positive.
// expect: unsafe 8
// check: memory
extern int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n > 4) return 0;
    int v[n];
    return sizeof v > 4;
}
