// A byte that fits.
// expect: safe
// check: shift
unsigned char nondet_uchar(void);
int main(void) {
    unsigned char c = nondet_uchar();
    int x = c << 23;
    return x;
}
