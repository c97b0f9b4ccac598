// A callee changes one of two objects.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void put(int *p, int v) { *p = v; }
int main(void) {
    int a = 0, b = 0;
    int c = __VERIFIER_nondet_int();
    put(c ? &a : &b, 3);
    __VERIFIER_assert(a + b == 3 && (a == 3) == (c != 0));
}
