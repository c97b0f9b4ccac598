// Unsigned.
// expect: safe
// check: shift
unsigned nondet_uint(void);
int main(void) {
    unsigned n = nondet_uint();
    n <<= 31;
    return (int)(n >> 31);
}
