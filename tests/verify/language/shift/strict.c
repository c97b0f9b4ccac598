// Strict.
// expect: unknown
// args: --undefined strict
int nondet_int(void);
int main(void) {
    int n = nondet_int();
    n <<= 3;
    return n;
}
