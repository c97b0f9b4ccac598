// Short circuit.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
int bump(void) {
    g++;
    return 1;
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x && bump();
    __VERIFIER_assert(g == (x != 0) && y == (x != 0));
}
