// A byte that becomes negative.
// expect: unsafe 8
// check: shift
// says: left
unsigned char nondet_uchar(void);
int main(void) {
    unsigned char c = nondet_uchar();
    int x = c << 24;
    return x;
}
