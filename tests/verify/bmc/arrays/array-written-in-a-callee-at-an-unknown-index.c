// Array written in a callee at an unknown index.
// expect: safe
// engine: bmc
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
void set(int *a, unsigned i, int v) { a[i] = v; }
int get(const int *a, unsigned i) { return a[i]; }
int main(void) {
    int a[6] = {0};
    unsigned i = __VERIFIER_nondet_uint() % 6;
    int v = __VERIFIER_nondet_int();
    set(a, i, v);
    __VERIFIER_assert(get(a, i) == v);
}
