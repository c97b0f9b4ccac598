// expect: unsafe 7
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int f(int x, int y) { return x > y ? x : y; }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(f(x, 5) == x);
}
