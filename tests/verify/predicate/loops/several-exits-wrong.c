// Several exits, wrong.
// expect: unsafe 19
// engine: predicate
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int main(void) {
    int i = 0, how = 0;
    while (1) {
        if (i >= 3) {
            how = 1;
            break;
        }
        if (__VERIFIER_nondet_int()) {
            how = 2;
            break;
        }
        i++;
    }
    __VERIFIER_assert(how == 1 || i < 2);
}
