// A negative value.
// expect: unsafe 8
// check: shift
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    if (n > 0) n = 0;
    n <<= 3;
    return n;
}
