// Pointer to pointer.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int x = 1, y = 2, *p = &x, **q = &p;
    if (__VERIFIER_nondet_int()) *q = &y;
    **q = 9;
    __VERIFIER_assert((x == 9) != (y == 9) && *p == 9);
}
