// The assumption.
// expect: safe
// assumes: shifted
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    n <<= 3;
    return n;
}
