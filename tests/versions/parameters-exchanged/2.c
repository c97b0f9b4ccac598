// expect: unsafe 7
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int y, int x) { return x - y; }
int main(void) {
    int x = __VERIFIER_nondet_int() & 7;
    __VERIFIER_assert(f(x + 1, x) == 1);
}
