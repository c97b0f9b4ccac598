// A check behind two loops.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
void exit(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n) {
        i++;
        j = 0;
        while (j < i) {
            j++;
            if (n == 77) goto out;
        }
    }
    exit(0);
out:
    __VERIFIER_assert(j > 0);
    exit(0);
}
