// expect: unsafe 12
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void set(int *p, int v) { *p = v; }
int main(void) {
    int b = 1, a = 2, n = __VERIFIER_nondet_int();
    do {
        set(&b, 5);
        set(&a, 2);
        n--;
    } while (n > 0);
    __VERIFIER_assert(a == 5 || b == 2);
}
