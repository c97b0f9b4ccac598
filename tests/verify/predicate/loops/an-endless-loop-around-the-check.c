// An endless loop around the check.
// expect: unsafe 12
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int s = 0;
    while (1) {
        int x = __VERIFIER_nondet_int();
        if (s < 4 && x == s) s++;
        else s = 0;
        __VERIFIER_assert(s != 4);
    }
}
