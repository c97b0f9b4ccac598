// All that fits.
// expect: safe
// check: shift
int nondet_int(void);
unsigned nondet_uint(void);
int main(void) {
    int n = nondet_int();
    unsigned by = nondet_uint();
    if (n >= 0 && n < 16 && by < 28) n <<= by;
    return n;
}
