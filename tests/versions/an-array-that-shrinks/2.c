// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int t[2];
void set(int i) { t[i & 3] = 1; }
int main(void) {
    set(__VERIFIER_nondet_int());
    __VERIFIER_assert(t[0] <= 1);
}
