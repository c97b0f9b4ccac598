// expect: unsafe 15
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, r = 0;
    while (1) {
        if (i > 5) {
            r = 1;
            break;
        }
        if (__VERIFIER_nondet_int()) goto out;
        i++;
    }
out:
    __VERIFIER_assert(r == 1 || i == 6);
}
