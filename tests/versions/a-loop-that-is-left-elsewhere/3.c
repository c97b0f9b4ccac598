// expect: unsafe 13
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, r = 0;
    while (1) {
        if (i > 5) goto out;
        if (__VERIFIER_nondet_int()) { break; }
        i++;
    }
    r = 1;
out:
    __VERIFIER_assert(r == 0 || i == 6);
}
