// Several exits.
// expect: safe
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, how = 0;
    while (1) {
        if (i >= 10) {
            how = 1;
            break;
        }
        if (__VERIFIER_nondet_int()) {
            how = 2;
            break;
        }
        i++;
    }
    __VERIFIER_assert(how == 2 || i == 10);
}
