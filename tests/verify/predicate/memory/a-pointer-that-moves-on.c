// A pointer that moves on.
// expect: unsafe 13
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int x, y, z, *p = &x;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (p == &y) p = &z;
        else if (p == &x) p = &y;
    }
    *p = 1;
    __VERIFIER_assert(z == 0);
}
