// Pointer to pointer, wrong.
// expect: unsafe 11
// engine: bmc
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void move(int **p, int *to) { *p = to; }
int main(void) {
    int x = 1, y = 2, *p = &x;
    if (__VERIFIER_nondet_int() == 8) move(&p, &y);
    *p = 5;
    __VERIFIER_assert(y == 2);
}
