// expect: safe
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int g = 3;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (g < 3) g = 9;
        __VERIFIER_assert(g == 3);
    }
}
