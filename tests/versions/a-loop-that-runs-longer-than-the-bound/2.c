// expect: unknown safe up to 4
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int n) {
    int s = 0;
    for (int i = 0; i < (n & 15); i++) s++;
    return s;
}
int main(void) { __VERIFIER_assert(f(__VERIFIER_nondet_int()) != 8); }
