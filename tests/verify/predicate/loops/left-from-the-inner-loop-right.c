// Left from the inner loop, right.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, j = 0;
    while (i < n) {
        i++;
        j = 0;
        while (j < n) {
            j++;
            if (__VERIFIER_nondet_int()) goto out;
        }
    }
    i = j = 1;
out:
    __VERIFIER_assert(i >= 1 && j >= 1);
}
