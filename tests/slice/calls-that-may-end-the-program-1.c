int __VERIFIER_nondet_int(void);
void __VERIFIER_error(void);
void exit(int);
int n;
void limit(int x, int y) {
    n = y;
    if (x > 9) exit(1);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    limit(x, x + 1);
    if (x > 20) __VERIFIER_error();
    limit(x, 2);
    return 0;
}
