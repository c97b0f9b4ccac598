// expect: unsafe 7
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
signed char f(int x) { return x; }
int main(void) {
    int x = __VERIFIER_nondet_int() & 255;
    __VERIFIER_assert(f(x) >= 0);
}
