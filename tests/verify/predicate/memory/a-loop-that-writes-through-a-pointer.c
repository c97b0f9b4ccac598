// A loop that writes through a pointer.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void zero(int *p) { *p = 0; }
int main(void) {
    int x = 7, n = __VERIFIER_nondet_int();
    while (n > 0) {
        zero(&x);
        n--;
    }
    __VERIFIER_assert(x == 7 || x == 0);
}
