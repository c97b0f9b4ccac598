// expect: unsafe 9
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
signed char g;
void f(int x) { g = x; }
int main(void) {
    int x = __VERIFIER_nondet_int() & 255;
    f(x);
    __VERIFIER_assert(g == x);
}
