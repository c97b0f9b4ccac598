// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0, y = __VERIFIER_nondet_int() & 7;
    while (x < n) {
        x++;
        if (x > 50) y = y - 1 + 1;
    }
    __VERIFIER_assert(y <= 9);
}
