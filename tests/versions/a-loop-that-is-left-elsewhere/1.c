// A loop that is left elsewhere.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, r = 0;
    while (1) {
        if (i > 5) break;
        if (__VERIFIER_nondet_int()) {
            r = 1;
            goto out;
        }
        i++;
    }
out:
    __VERIFIER_assert(r == 1 || i == 6);
}
