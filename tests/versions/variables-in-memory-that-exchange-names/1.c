// Variables in memory that exchange names.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void set(int *p, int v) { *p = v; }
int main(void) {
    int a = 1, b = 2, n = __VERIFIER_nondet_int();
    do {
        set(&a, 5);
        set(&b, 2);
        n--;
    } while (n > 0);
    __VERIFIER_assert(a == 5 && b == 2);
}
