// The condition of a check is not an ending, however the program goes on.
// endings: no
int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 3) __VERIFIER_error();
    exit(0);
}
