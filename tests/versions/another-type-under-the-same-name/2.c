// expect: unsafe 9
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g;
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0;
    g = __VERIFIER_nondet_int();
    while (x < n) x++;
    __VERIFIER_assert(g <= x + 255 || x > 1000000);
}
