// But those of long ones do.
// expect: unsafe 7
// check: overflow
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum += __VERIFIER_nondet_int() / 2;
    return sum == 42;
}
